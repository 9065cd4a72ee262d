/* What the console answers beside the scene. Made by `python -m firmware_bridge.console.answers`: change the types of
   the program, not this file. */

/** A module that a console with simulated devices adds to the page. */
interface PageExtra {
  name: string;
  script: string;
}

/** What a page must know of its session. */
interface PageSession {
  /** people must log in to command */
  roles: boolean;
  name: string | null;
  role: string | null;
  /** goes with every command */
  token: string;
  /** nothing is shown before a login */
  must_login: boolean;
  extras: PageExtra[];
  version: string;
  lang: string;
  /** the sign with which a badge reader begins to type, empty without one */
  badge: string;
  /** people may log in by an account elsewhere, at the floor */
  accounts?: boolean;
}

/** One line of the list of rounds. */
interface RoundRow {
  id: number;
  /** what tells it from every other round of the journal: when it began, and its first event */
  key: string;
  number: number;
  game: string;
  /** the row of the journal with which it began */
  first: number;
  last: number;
  began: string;
  ended: string;
  outcome: string;
  boxes: string;
  findings: string[];
  segment: string;
  /** null where the record cannot be read */
  staked: string | null;
  net: string | null;
  /** how many notes it has */
  noted: number;
  bookmark: boolean;
}

/** A page of the list of rounds. */
interface RoundsPage {
  rounds: RoundRow[];
  /** what continues it, null after the last */
  next: string | null;
  /** back to when was looked */
  back_to: string | null;
  /** segments that cannot be read */
  unread: string[];
}

/** The first signed head that covers a round. */
interface SignedHead {
  number: number;
  /** the last row that it covers */
  n: number;
  chain: string;
  key: string;
  signature: string;
}

/** What proves the rows of a round: the digest of its last one, and the head over it. */
interface RoundProof {
  n: number;
  chain: string;
  /** null where nothing is signed yet */
  head: SignedHead | null;
}

/** The Dealer's hand as it was settled. */
interface PastDealer {
  cards: string[];
  total: number;
  soft: boolean;
  blackjack: boolean;
  bust: boolean;
}

/** A Player's hand as it was settled. */
interface PastHand {
  box: number;
  hand: number;
  cards: string[];
  total: number | null;
  soft: boolean | null;
  result: string | null;
}

/** A round as the journal keeps it; the obstacle of a finding by its key. */
interface RoundReport {
  number: number;
  outcome: string;
  dealer: PastDealer;
  hands: PastHand[];
  wagers: WagerReport[];
  findings: FindingReport[];
}

/** A finding of a round, with its moves as its last step shows them. */
interface PastFinding {
  n: number;
  code: string;
  clause: string;
  ruling: string;
  places: string;
  whose: string;
  moves: MoveReport[];
  /** what was to be done about it, each step by language */
  steps: (Record<string, string>)[];
}

/** The person who said something. */
interface Speaker {
  name: string;
  role: string;
}

/** What somebody said about a finding. */
interface PastRuling {
  n: number;
  at: string;
  who: string;
  what: string;
  by: Speaker | null;
}

/** Alarms of a round that somebody cleared. */
interface PastClearing {
  n: number;
  at: string;
  codes: string[];
  by: string;
  role: string;
  reason: string;
}

/** The record of a round, and the rounds beside it. */
interface PastRound {
  number: number;
  first: number;
  last: number;
  game: string;
  began: string;
  ended: string;
  outcome: string;
  segment: string;
  key: string;
  older: string | null;
  newer: string | null;
  /** the nearest round before in which something was found */
  older_found: string | null;
  newer_found: string | null;
  proof: RoundProof | null;
  report: RoundReport;
  findings: PastFinding[];
  rulings: PastRuling[];
  cleared: PastClearing[];
}

/** Why something was refused: the key of the reason, the clause, and what stands in its gaps. */
interface RefusalReport {
  key: string;
  clause: string;
  arguments: Record<string, any>;
}

/** One event of a round, what it brought, and the table after it. */
interface PastStep {
  n: number;
  at: string;
  device: string;
  event: string;
  by: Speaker | null;
  /** in English */
  refused: string | null;
  refusal: RefusalReport | null;
  /** `is` tells which other fields there are */
  brought: (Record<string, any>)[];
  scene: Scene;
}

/** Whether the notation of a round is kept from who asks, where it begins, and whether it plays to the same end. */
interface AboutNotation {
  kept: boolean;
  begins?: string;
  plays?: boolean;
}

/** What somebody has written about a round. */
interface PastNote {
  n: number;
  at: string;
  by: string;
  role: string;
  text: string;
  /** null where it says nothing of that */
  bookmark: boolean | null;
  disputed: boolean;
}

/** A round with its steps and its notation. */
interface ToldRound {
  round: PastRound;
  steps: PastStep[];
  /** the steps came to the round as its record has it */
  true: boolean;
  /** the earlier edition that has judged it */
  kept_by: number | null;
  notation: string | null;
  about: AboutNotation;
  notes: PastNote[];
  bookmark: boolean;
}

/** How long batches took, in microseconds. */
interface LatencyFigures {
  count: number;
  /** how many the figures are made of */
  of: number;
  p50: number | null;
  p99: number | null;
  max: number | null;
}

/** A finding that is being carried out. */
interface OpenMatter {
  code: string;
  clause: string;
}

/** A finding that somebody must clear; `n` and `at` are those of the event that first proved it. */
interface Alarm {
  n: number;
  at: string;
  code: string;
  clause: string;
  ruling: string;
  places: string;
  times: number;
  noted: boolean;
  device: string;
  event: number;
  nth: number;
  held: boolean;
  was: ([string, string])[];
  acts: ([string, string, string])[];
}

/** How the game stands. */
interface TableHealth {
  name: string;
  game: string;
  state: string;
  round: number;
  sensors: string[];
  boxes: number;
  open: OpenMatter[];
  /** who is asked */
  asked: string[];
  watch: string[];
  alarms: Alarm[];
}

/** What a station has done since it was made, for `doctor`. */
interface StationStats {
  tries: number;
  ups: number;
  downs: number;
  events: number;
  faults: number;
  bytes_in: number;
  bytes_out: number;
  fault: string;
}

/** What went over one link since it was made, for `doctor`. */
interface LinkStats {
  frames: number;
  bad: number;
  duplicates: number;
  gaps: number;
  resent: number;
  bytes: number;
}

/** What a device knows of the journal's head. */
interface RegisterHealth {
  verdict: string;
  number: number;
  n: number;
}

/** One device and the link to it; what it told of itself is there once it was up. */
interface LinkHealth {
  up: boolean;
  driver: string;
  port: string;
  authenticated: boolean;
  edition: number;
  /** seconds that its link bears; more than 1 only where it is simulated */
  patience: number;
  station: StationStats | null;
  link: LinkStats | null;
  fingerprint?: string | null;
  /** who has confirmed the key */
  paired?: string | null;
  register?: RegisterHealth;
  serial?: string;
  firmware?: string;
  protocol?: number[];
  proved?: boolean;
}

/** The journal and its files. */
interface JournalHealth {
  state: string;
  /** its last row */
  n: number;
  segment: string;
  segments: number;
  size: number;
  archived: number;
  /** what is wrong with it */
  archiving: string | null;
  /** the last row that a signed head covers */
  signed: number | null;
  quarantined: number;
  stalled: string | null;
}

/** One place outside to which heads go. */
interface AnchorHealth {
  n: number | null;
  problem: string | null;
  down: boolean;
}

/** The process that takes heads outside. */
interface AnchorsHealth {
  runs: boolean;
  targets: Record<string, AnchorHealth>;
}

/** Bytes of the disk on which the journal lies. */
interface DiskHealth {
  free: number;
  total: number;
}

/** Who may log in. */
interface PeopleHealth {
  many: number;
  /** one can propose a change and another confirm it */
  changeable: boolean;
  /** `[roles]` is still configured */
  left: boolean;
}

/** A sum of squares, and the limit that chance exceeds once in twenty. */
interface ChiSquaredHealth {
  over: string;
  value: number;
  limit: number;
}

/** The evidence against a shuffler when a shoe had ended. */
interface ShoeEvidence {
  at: string;
  evidence: number;
}

/** What all its shoes together say of one shuffler. */
interface ShufflerHealth {
  device: string;
  method: string;
  decks: number;
  /** of one deck */
  cards: number;
  /** the row at which its test began */
  since: number;
  shoes: number;
  /** none, advisory or alarm */
  verdict: string;
  /** how many times better than chance the cards were foretold */
  evidence: number;
  /** what has foretold most of them */
  explains: string;
  /** the key of that */
  trace: string;
  /** of the last order that came again */
  neighbours: number;
  /** how many chance lets expect */
  expected: number;
  chi: ChiSquaredHealth[];
  course: ShoeEvidence[];
}

/** How the daemon is. */
interface HealthFacts {
  version: string;
  program: AdmittedProgram;
  boot: string;
  uptime: number;
  /** bytes */
  memory: number | null;
  latency: LatencyFigures;
  table: TableHealth;
  links: Record<string, LinkHealth>;
  journal: JournalHealth;
  anchors: AnchorsHealth | null;
  disk: DiskHealth | null;
  /** the table has no roles */
  open: boolean;
  roles: Record<string, string>;
  people: PeopleHealth | null;
  /** None before the daemon has judged them for the first time */
  shufflers: ShufflerHealth[] | null;
}

/** One thing that was examined; `well` is None where it is neither well nor a problem. */
interface Check {
  name: string;
  well: boolean | null;
  said: string;
  remedy: string;
  code: string;
  values: Record<string, unknown>;
}

/** One finding code of a game: its clauses, whether the sensors find it, and which are missing if not. */
interface Covered {
  code: string;
  clauses: string[];
  covered: boolean;
  missing: string;
}

/** How the daemon is, what is wrong and what to do, what the sensors cover. */
interface HealthPage {
  health: HealthFacts | null;
  checks: Check[];
  coverage: Covered[];
}

/** How long things took in one part of the time, in microseconds. */
interface LatencyPoint {
  at: string;
  p50: number | null;
  p99: number | null;
  /** the share of samples in which the daemon answered */
  here: number;
}

/** The same in one part of the time. */
interface SpoiledPoint {
  frames: number;
  spoiled: number;
  up: boolean | null;
  at: string;
}

/** The rounds that ended within one part of the time, and their findings by kind. */
interface PaceBucket {
  at: string;
  count: number;
  findings: Record<string, number>;
}

/** How many rounds were played, and what was found. */
interface Pace {
  /** how long a part is, in seconds */
  bucket: number;
  /** the kinds of findings, the most frequent first */
  codes: string[];
  rounds: PaceBucket[];
}

/** What is plotted of a window. */
interface Plots {
  /** seconds between two samples */
  every: number;
  since: string | null;
  latency: LatencyPoint[];
  links: Record<string, SpoiledPoint[]>;
  hours: number;
  /** null where there is no journal */
  pace: Pace | null;
}

/** One game. */
interface GameLine {
  id: string;
  title: string;
  casino: string;
  edition: string;
  in_force: string;
}

/** What one game says of a parameter. */
interface RuleCell {
  value: string;
  /** of the text of the value, empty where it is shown as it is */
  key: string;
  clause: string;
}

/** One parameter of all games. */
interface RuleRow {
  name: string;
  key: string;
  wager: string;
  differs: boolean;
  games: Record<string, RuleCell>;
}

/** The games side by side. */
interface GamesTable {
  games: GameLine[];
  rows: RuleRow[];
}

/** A stage of a round. */
interface StageLine {
  name: string;
  key: string;
}

/** A ruling, and who has erred. */
interface WhoseRuling {
  game: string;
  code: string;
  case: string;
  case_key: string;
  stages: string[];
  /** empty where it cannot be */
  ruling: string;
  clause: string;
  procedure: string;
  note: string;
  note_key: string;
  whose: string;
}

/** A finding that governs before others. */
interface Precedence {
  code: string;
  why: string;
}

/** The rulings matrix of a game. */
interface RulingsTable {
  game: string;
  stages: StageLine[];
  rows: WhoseRuling[];
  precedence: Precedence[];
}

/** A name of the code, and where it is. */
interface CodePlace {
  name: string;
  file: string;
  line: number;
}

/** A scenario, or a test in Python by its name. */
interface HeldBy {
  file: string;
  test?: string;
}

/** One clause, and how the product stands to it. */
interface ClauseRow {
  game: string;
  clause: string;
  standing: string;
  note: string;
  code: CodePlace[];
  held_by: HeldBy[];
}

/** Every clause of a game. */
interface ClausesTable {
  game: string;
  rows: ClauseRow[];
  totals: Record<string, number>;
  /** it is known which tests hold a clause */
  held: boolean;
}

/** A place where a document can be read in two ways, and how it is read here. */
interface ReadingRow {
  name: string;
  games: string[];
  clauses: string;
  question: string;
  taken: string;
  other: string;
  why: string;
  held_by: string;
}

/** Where the documents can be read in two ways. */
interface ReadingsTable {
  games: string[];
  rows: ReadingRow[];
}

/** How the last verification of the journal went. */
interface Verified {
  running: boolean;
  /** when it ended, null before the first */
  at: string | null;
  /** 0 whole, 3 whole but not anchored elsewhere, else not whole */
  status: number | null;
  /** what it said */
  lines: string[];
}

/** A row of the journal that was applied to the table. */
interface SeenNews {
  /** its number */
  n: number;
  device: string;
  /** the device's own */
  number: number | null;
  /** in deal notation */
  event: string;
  /** why, in English */
  refused: string | null;
  findings?: FindingReport[];
}

/** A device was lost or is there. */
interface LinkNews {
  device: string;
  up: boolean;
  fault: string | null;
  remedy?: string;
}

/** Something went wrong on the way from a device. */
interface FaultNews {
  device: string;
  code: string;
  detail: string;
  remedy: string;
}

/** Whether the journal can be written. */
interface JournalNews {
  /** why it cannot */
  stalled: string | null;
}

/** A note has raised an alarm. */
interface AlarmNews {
  /** its row */
  n: number;
  code: string;
}

/** Alarms have ended. */
interface ClearedNews {
  /** their rows */
  alarms: number[];
  by: string;
}

/** The supervisor's key switch was turned. */
interface KeyNews {
  on: boolean;
}

/** Whether rounds begin with this program. */
interface ProgramNews {
  /** why not */
  bars: string | null;
}

/** Whether an anchor must still confirm the journal. */
interface AnchorNews {
  waits: boolean;
}

/** The daemon does not answer. */
interface GoneNews {
  reason: string;
  remedy: string;
}

/** Nothing beyond that it happened. */
interface NoNews {
}

/** A browser's session has begun or ended. */
interface SessionNews {
  /** the role of the login */
  began?: string;
  /** why, in English */
  ended?: string;
  refusal?: RefusalReport;
}

/** The events of the page's stream by name. */
interface StreamNews {
  seen?: SeenNews;
  link?: LinkNews;
  fault?: FaultNews;
  journal?: JournalNews;
  alarm?: AlarmNews;
  cleared?: ClearedNews;
  key?: KeyNews;
  program?: ProgramNews;
  anchor?: AnchorNews;
  scene?: LiveScene;
  gone?: GoneNews;
  back?: NoNews;
  session?: SessionNews;
  beat?: NoNews;
}
