/* What the modules of the harness pass to each other, and what its server says (hal_sim/harness/harness_state.py). */

type HarnessServer = import("../harness_server.js").HarnessServer;
type Grip = import("../grip.js").Grip;

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
  /** something has happened here that no file has */
  own: boolean;
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
  server: HarnessServer;
  grip: Grip;
  ends: (() => unknown)[];
}

interface HarnessPart {
  node: HTMLElement;
  update?: (state: HarnessState, scene: LiveScene | null) => void;
  keys?: () => Key[];
  shown?: () => void;
}

// --- the position editor (hal_sim/editor) ---------------------------------------------------------------------------

/** What is chosen: chips, and the cards of each hand by its box, the Dealer's under 0. */
interface Position {
  game: string;
  boxes: number;
  chips: { box: number; slot: number; kind: string; amount: string }[];
  hands: Record<string, string[]>;
}

interface FoundThere {
  code: string;
  clause: string;
  ruling: string;
  places: string[];
}

/** What a text comes to. */
interface Looked {
  text: string;
  scene: Scene;
  position: Position;
  /** the text has nothing but the position */
  plain: boolean;
  legal: boolean;
  line: number;
  problem: string;
  findings: FoundThere[];
  /** the next step, by language */
  next: Record<string, string>;
  /** cards that could not be dealt yet */
  left: { box: number; card: string }[];
}

interface WhatIfAnswer {
  statement: string;
  refused: string;
  findings: FoundThere[];
  asks: ShownAsk[];
  next: Record<string, string>;
}

// --- what is held (grip.js) -----------------------------------------------------------------------------------------

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

/** For whom something is held: whose picture it is, and who is told of a drop. */
interface GripServer {
  app: { readonly scene: Scene | null };
  post: (name: string, body: object) => Promise<any>;
}

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
