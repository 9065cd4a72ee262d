/* What the modules of the harness pass to each other, and what its server says (hal_sim/harness/harness_state.py). */

type Desk = import("../desk.js").Desk;
type Hold = import("../hold.js").Hold;

// --- how it stands --------------------------------------------------------------------------------------------------

interface HarnessDevice {
  name: string;
  plugged: boolean;
  up: boolean;
  kept: number;
  taken: number;
  damaged: number;
}

interface HarnessShoe {
  left: number;
  out: number;
  locked: boolean;
  cutting_card: { is: "none" | "out" | "front" | "in"; behind?: number };
}

interface HarnessTable {
  number: number;
  game: string;
  title: string;
  boxes: number;
  decks: number;
  seed: number;
  shuffling: string;
  sensors: string[];
  slots: number | null;
  wagers: string[];
  multipliers: number[];
  roles: boolean;
}

interface ScenarioLine {
  text: string;
  state: string;
  why: string;
}

interface OpenScenario {
  name: string;
  lines: ScenarioLine[];
  /** the line of the next statement */
  line: number;
  at: number;
  of: number;
  held: number;
  failed: number;
  over: boolean;
  ended: string;
}

interface RecordedLine {
  text: string;
  device: string;
  refused: string | null;
}

interface HarnessState {
  table: HarnessTable;
  people: { name: string; role: string; pin: string }[];
  power: boolean;
  devices: HarnessDevice[];
  panel: { lamps: number[]; upper: string; lower: string; alarm: boolean; key: boolean };
  shoe: HarnessShoe;
  playing: "nobody" | "robot" | "scenario";
  message: string;
  robot: { rounds: number; speed: number | null; any: number; rates: Record<string, number>; possible: string[] };
  scenario: OpenScenario | null;
  recording: { count: number; last: RecordedLine[] };
}

interface HarnessGame {
  id: string;
  title: string;
  boxes: [number, number];
  decks: [number, number];
  ranks: string;
  wagers: string[];
}

/** What never changes. */
interface HarnessAbout {
  games: HarnessGame[];
  sensors: string[];
  shufflings: string[];
  buttons: string[];
  devices: string[];
  errors: { name: string; code: string }[];
}

// --- parts of the page ----------------------------------------------------------------------------------------------

/** What a part is made with; `ends` are called when the page is left. */
interface PartTools {
  app: App;
  desk: Desk;
  hold: Hold;
  ends: (() => unknown)[];
}

interface HarnessPart {
  node: HTMLElement;
  update?: (state: HarnessState, scene: LiveScene | null) => void;
  keys?: () => Key[];
  shown?: () => void;
}

// --- what is held (hold.js) -----------------------------------------------------------------------------------------

interface HeldDraw {
  kind: "draw";
  count: number;
  show: number;
  ordered?: boolean;
  card?: string | null;
  faceUp?: boolean;
  exposed?: boolean;
}

interface HeldCard {
  kind: "card";
  card: string;
  from: string;
  index: number;
}

interface HeldChips {
  kind: "chips";
  amount: string;
  wager: string;
  slot: number;
  chip: string;
}

interface HeldTake {
  kind: "take";
  wager: string;
  slot: number;
}

type Held = HeldDraw | HeldCard | HeldChips | HeldTake;

/** Where something is dropped: a place, and the spot of a wager. */
interface DropTarget {
  place: string;
  wager?: string;
}

/** What dropping asks of the harness. */
interface Deed {
  name: string;
  body: object;
}

interface Drag {
  held: Held;
  x: number;
  y: number;
  moving: boolean;
  over?: Element;
  off: () => void;
}
