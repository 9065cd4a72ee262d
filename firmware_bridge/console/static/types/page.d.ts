/* What the modules of the page pass to each other. What comes from the table is in scene.d.ts. */

/** The text of a key, with {name} replaced by values.name. */
type Translate = (key: string, values?: Record<string, unknown>) => string;

// --- elements (dom.js) ----------------------------------------------------------------------------------------------

type Listeners = { [E in keyof HTMLElementEventMap as `on${E}`]?: ((event: HTMLElementEventMap[E]) => unknown) | null | false };
type Props = (Listeners & { style?: Partial<Record<keyof CSSStyleDeclaration, string>>; [attribute: string]: unknown }) | null;
type Child = Node | string | number | null | undefined | false | Child[];

// --- the page (app.js) ----------------------------------------------------------------------------------------------

interface Lang {
  code: string;
  html: string;
  name: string;
  short: string;
}

interface Route {
  name: string;
  rest: string[];
  query: Record<string, string>;
}

/** What the server says to a request: done, refused, or why it could not be. */
interface Answer {
  ok?: boolean;
  refused?: string;
  refusal?: RefusalReport | null;
  error?: string;
  remedy?: string;
  ended?: boolean;
  unreachable?: boolean;
  role?: string;
  /** what else an answer has is known to the caller */
  [more: string]: any;
}

/** Somebody on duty. */
interface DutyPerson {
  initials: string;
  number: string;
  role: string;
}

/** What is told of each event of the stream (stream.js); what the connection itself does has no data. */
type StreamListeners = { [Kind in keyof StreamNews]?: (news: Required<StreamNews>[Kind], id?: string) => unknown } & {
  lost?: () => unknown;
  reached?: () => unknown;
};

/** What a page can listen to (app.on): the stream, and what happens on the page itself. */
interface PageNews extends Omit<Required<StreamNews>, "session"> {
  session: PageSession;
  live: boolean;
  lang: string;
}

/** An entry of the keyboard's help; without `run` it only explains. */
interface Key {
  key: string;
  words: string;
  show?: string;
  run?: (() => unknown) | null | false;
}

/** A page while it is shown. */
interface Page {
  scene?: (scene: LiveScene) => unknown;
  seen?: (news: SeenNews, id?: string) => unknown;
  keys?: () => Key[];
  close?: () => unknown;
  must?: boolean;
}

/** A module of a page, or an extra. */
interface PageModule {
  mount: (root: HTMLElement, app: App, rest?: string[], query?: Record<string, string>) => Page | null | undefined | void;
  joins?: (app: App) => unknown;
  texts?: string[];
  style?: string;
}

/** What a page of any console is given. */
interface BaseApp {
  t: Translate;
  has: (key: string) => boolean;
  /** null until the texts are there */
  tone: { control: HTMLElement; update: (open: boolean) => void; draw: () => void } | null;
  readonly lang: string;
  readonly session: PageSession;
  readonly readsOnly: boolean;
  get: (path: string) => Promise<any>;
  post: (path: string, body?: object) => Promise<Answer>;
  go: (route: string) => void;
  may: (roles?: string[] | null) => boolean;
  announce: (text: string) => void;
  toast: (text: string, kind?: "good" | "bad") => void;
  report: (answer: Answer) => boolean;
  setLang: (code: string) => void;
  login: (roles?: any, name?: string) => unknown;
  changed: () => Promise<void>;
}

/** What a page of the table's console is given. */
interface App extends BaseApp {
  scene: LiveScene | null;
  live: boolean;
  on: <Kind extends keyof PageNews & string>(kind: Kind, fn: (data: PageNews[Kind], id?: string) => unknown) => () => unknown;
  say: (statement: string) => Promise<Answer>;
  why: (statement: string) => Promise<Answer>;
  clear: (n: number, code: string, reason: string) => Promise<Answer>;
  note: (key: string, said: { text?: string; bookmark?: boolean }) => Promise<Answer>;
}

// --- the picture (draw/) --------------------------------------------------------------------------------------------

interface Point {
  x: number;
  y: number;
}

interface Area extends Point {
  w: number;
  h: number;
}

/** A place of the notation, read. */
interface Place {
  name: string;
  box?: number;
  hand?: number;
  slot?: number;
}

/** Where the parts of one box lie. */
interface BoxGeometry {
  frame: Area;
  rowH: number;
  spot: Area;
  hands: Area;
  foot: Area;
  bare?: boolean;
}

interface Geometry {
  width: number;
  height: number;
  arc: (x: number) => number;
  boxes: BoxGeometry[];
  dealer: Area;
  shoe: Area;
  aside: Area;
  burn: Area;
  discard: Area;
}

/** A pile of cards beside the hands. */
type PileName = "aside" | "burn" | "discard";

/** Where the cards and the total of one hand lie. */
interface HandRow {
  cards: Area;
  total: Area;
  single: boolean;
  roomy?: boolean;
  foot?: Area;
}

/** How the cards of a hand are laid (draw/cards.js). */
interface FanOptions {
  next?: boolean | null;
  share?: number;
  most?: number;
  left?: boolean;
  strip?: number;
}

/** What of a hand, a pile or the Dealer's cards is drawn: `others` lie there and do not count, `strays` are to go. */
interface DrawnHand {
  cards: string[];
  hand?: number;
  place?: string;
  total?: number | null;
  soft?: boolean | null;
  over?: boolean;
  bust?: boolean;
  natural?: string;
  result?: string | null;
  stakes?: ShownStake[];
  others?: string[];
  strays?: string[];
  stood?: boolean;
  settled?: boolean;
  ribbon?: Ribbon;
}

/** A hand of a box, drawn. */
interface BoxHand extends DrawnHand {
  hand: number;
  place: string;
  others: string[];
  strays: string[];
}

/** What is marked at a box: by the number of the hand, 0 for none. */
interface BoxMarks {
  next: number;
  turn: number;
  lit: boolean;
  pilled: boolean;
  ribbons: Record<number, Ribbon>;
  others: Record<number, string[]>;
  strays: Record<number, string[]>;
}

/** What is marked at the Dealer's hand or a pile. */
interface Marks {
  next: boolean;
  lit: boolean;
}

/** What the parts of the picture are drawn with. */
interface Tools {
  t: Translate;
  press?: ((place: string, event: Event) => void) | null;
  drop: boolean;
  geo: Geometry;
  scene: DrawnScene;
}

/** A wager on its spot; `count` wagers are summed up in it. */
interface DrawnWager {
  kind: string;
  slot: number;
  amount: string;
  hand: number;
  player?: string | null;
  returned?: string | null;
  early?: boolean;
  added?: string;
  act?: string;
  count?: number;
}

/** What of a scene is drawn: a whole one, or the empty table before the first. */
type DrawnScene = Pick<Scene, "boxes" | "spots" | "elsewhere" | "next" | "turn"> & {
  dealer: DrawnHand;
  shoe: ShownShoe | null;
  state?: Scene["state"];
  advice?: ShownAdvice;
  settlement?: ShownSettlement | null;
  on_the_way?: ShownPayment[];
};

/** A card that is drawn as going from one place to another. */
interface DrawnMove {
  card: string;
  from: string;
  to: string;
  done?: boolean;
}

interface ViewOptions {
  scene?: Scene | null;
  t: Translate;
  onPlace?: (place: string, event: Event) => unknown;
  moves?: DrawnMove[];
  highlight?: string[];
  dropTargets?: boolean;
  bare?: boolean;
  onDraw?: () => unknown;
}

/** The element of the picture. */
interface TableView extends HTMLDivElement {
  update: (scene?: Scene | null, more?: { moves?: DrawnMove[]; highlight?: string[]; bare?: boolean; pills?: Set<number> }) => void;
  pillArea: (box: number) => PillArea | null;
  middle: (place: string) => Point | null;
  close: () => void;
}

// --- plots (draw/plots.js) ------------------------------------------------------------------------------------------

interface PlotPoint {
  at: number;
  value: number | null | undefined;
}

interface Series {
  name: string;
  points: PlotPoint[];
}

interface PlotOptions {
  name: string;
  title: string;
  words: string;
  series: Series[];
  from: number;
  to: number;
  unit: (value: number) => string;
  lang: string;
  t: Translate;
  whole?: boolean;
}

interface BarOptions extends PlotOptions {
  /** of a bar, in ms */
  width: number;
}

interface Plot extends HTMLElement {
  close: () => void;
}

/** What a series is drawn by. */
interface PlotGeometry {
  x: (at: number) => number;
  y: (value: number) => number;
  name: string;
  base: number;
}

// --- the Alarm (pages/alarm/alarm.js) -------------------------------------------------------------------------------

/** An open matter: it is carried out now. */
interface MatterItem extends ShownMatter {
  kind: "matter";
  roles: string[];
  alarm: OpenAlarm | null;
}

/** An alarm that waits to be cleared. */
interface AlarmItem extends OpenAlarm {
  kind: "alarm";
  moves: ShownMove[];
}

type OpenItem = MatterItem | AlarmItem;

/** What can be pressed: a statement that is said, or what is run. */
interface Choice {
  test: string;
  words: string;
  roles: string[];
  statement?: string;
  option?: string;
  reason?: string;
  soft?: boolean;
  /** it cannot be undone: the press must last */
  hold?: boolean;
  run?: () => unknown;
}

/** What stands in the place of the table while somebody enters something. */
type Panel = HTMLElement & { start?: () => void };

interface PickerOptions {
  several?: boolean;
  confirm: (words: string, cards: string[]) => string;
  onpick: (cards: string[]) => unknown;
  oncancel: () => unknown;
}

// --- parts of several pages -------------------------------------------------------------------------------------------

/** A statement, read: what is done, and where. */
interface Entry {
  statement: string;
  verb: string;
  place: string | null;
  what: string | null;
  amount: string | null;
  kind?: string;
  player?: string;
  key?: string | null;
}

/** Keys on the screen that type into a field. */
type Keypad = HTMLDivElement & { use: (field: HTMLInputElement, letters: boolean) => void };

/** A cell of a table: what it shows, or that with attributes. */
type Cell = Child | { text: Child; [attribute: string]: unknown };

/** The section of the steps of a round. */
type StepsPart = HTMLElement & { mark: (index: number) => void };

/** What goes through the steps of a round. */
interface Scrubber extends HTMLDivElement {
  go: (index: number) => void;
  by: (count: number) => void;
  ends: (last: boolean) => void;
  play: () => void;
  close: () => void;
  playing: () => boolean;
}

// --- the Dealer's page (pages/table/grid.js, pages/table/pills.js) --------------------------------------------------

/** One place of the grid: what its button means now, how it looks, what a dim one asks about. */
interface GridCell {
  id: string;
  has: boolean;
  entry: Entry | null;
  look: "loud" | "ready" | "dim";
  ask: string;
  barred: boolean;
  undo: Correction | null;
}

/** Something that is said of one box: a command, or an answer of somebody who is asked. */
interface Pill {
  statement: string;
  entry: Entry | null;
  option: string;
  roles: string[] | null;
  who?: string;
  undo?: Correction;
}

/** Where a pill lies over the picture. */
interface PillArea {
  x: number;
  y: number;
  w: number;
}

/** What was decided on a hand, or is to be paid and taken there. */
interface Ribbon {
  kind: "pay" | "take" | "leave" | "mark";
  text: string;
  values?: Record<string, string>;
}
