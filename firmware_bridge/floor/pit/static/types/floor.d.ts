/* What the console of the floor answers. Made by `python -m firmware_bridge.floor.pit.answers`: change the types of the
   program, not this file. */

/** The limits of one kind of wager. */
interface TileLimit {
  kind: string;
  least: string;
  most: string;
}

/** Who has taken up an alarm, and when. */
interface TakenUp {
  by: string;
  at_ms: number;
}

/** An open alarm on a tile. */
interface TileAlarm {
  journal: string;
  n: number;
  code: string;
  since_ms: number;
  clause: string;
  ruling: string;
  places: string[];
  times: number;
  noted: boolean;
  held: boolean;
  device: string;
  /** what the centre says of it */
  detail: string;
  stage: "raised" | "taken-up" | "escalated-1" | "escalated-2" | "over";
  taken: TakenUp | null;
}

/** How far the archive is behind the table. */
interface TileLag {
  rows: number;
  seconds: number;
}

/** One table of the pit. */
interface Tile {
  name: string;
  /** what people call it, empty where nobody has named it */
  called: string;
  /** the loudest first */
  look: "alarm" | "taken" | "wrong" | "gone" | "grey" | "unheard" | "calm";
  game: string;
  state: string;
  round: number;
  outcome: string;
  /** the staff number of the Dealer */
  dealer: string;
  limits: TileLimit[];
  boxes: number[];
  /** that have ended within the last hour */
  rounds: number;
  /** when the last card moved */
  card_ms: number | null;
  /** when it was heard last, null if not since this console began */
  heard_ms: number | null;
  /** false while nobody answers at the table */
  daemon: boolean;
  stalled: string;
  alarms: TileAlarm[];
  /** alarms that did not fit */
  more: number;
  /** why its journal is quarantined */
  quarantined: string;
  /** seconds by which its clock is off, where that is too much */
  clock: number | null;
  lag: TileLag | null;
  version: string;
  /** rises with each picture that differs from the one before */
  pictures: number;
}

/** Every tile, and the centre's clock. */
interface PitNews {
  casino: string;
  now_ms: number;
  /** whether live news can come */
  broker: boolean;
  /** whether the archive answers */
  archive: boolean;
  tiles: Tile[];
}

/** The tiles that have changed. */
interface TilesNews {
  now_ms: number;
  tiles: Tile[];
  /** tables that are no longer enrolled */
  gone: string[];
}

/** Whether broker and archive are there. */
interface CentreNews {
  broker: boolean;
  archive: boolean;
}

/** The events of the stream by name. */
interface PitStream {
  pit?: PitNews;
  tiles?: TilesNews;
  centre?: CentreNews;
  session?: SessionNews;
  beat?: NoNews;
}

/** One table: its tile, and its own picture as it was heard last. */
interface TablePicture {
  tile: Tile;
  /** cards that do not lie open are masked */
  picture: Scene | null;
}

/** A finding, or a void round, of any table; what does not apply is empty. */
interface FindingRow {
  kind: "findings" | "voids";
  at: string;
  table: string;
  dealer: string;
  shuffler: string;
  code: string;
  clause: string;
  ruling: string;
  places: string;
  whose: string;
  how: string;
  person: string;
  role: string;
  round: number | null;
  game: string;
  outcome: string;
  /** of its round, as every export has it */
  key: string;
  /** the row of the table's journal */
  n: number;
}

/** A page of findings or void rounds, the newest first. */
interface PastPage {
  rows: FindingRow[];
  /** what continues it, null after the last */
  next: string | null;
}

/** A round of a table. */
interface RoundLine {
  key: string;
  number: number | null;
  game: string;
  began: string;
  ended: string;
  outcome: string;
  boxes: string;
  dealer: string;
  codes: string[];
}

/** How many there were in one part of a window. */
interface TrendPoint {
  at: string;
  value: number;
}

/** What one kind, table, Dealer or shuffler came to; `others` are all that are not told apart. */
interface TrendSeries {
  name: string;
  others: boolean;
  points: TrendPoint[];
}

/** Findings by one dimension; `kinds` is how many different ones there are. */
interface Trend {
  series: TrendSeries[];
  kinds: number;
}

/** How many findings there were over a window. */
interface Trends {
  from: string;
  to: string;
  /** how long a part is, in seconds */
  bucket: number;
  findings: number;
  rounds: number;
  by: Record<string, Trend>;
  /** by the hour, for the hour of the day */
  hours: TrendPoint[];
}

/** A name for an address of the page. */
interface SavedView {
  name: string;
  address: string;
}
