/* What the console answers for the pages History, Health and Games, where the program has no type for it yet. What it
   has types for is in answers.d.ts. */

// --- History --------------------------------------------------------------------------------------------------------

interface PastHand extends DrawnHand {
  box: number;
  hand: number;
}

/** A round as the journal keeps it. */
interface RoundReport {
  dealer: DrawnHand;
  hands: PastHand[];
  wagers: WagerReport[];
  findings: FindingReport[];
}

interface PastFinding {
  n: number;
  code: string;
  clause: string;
  ruling: string;
  places: string;
  whose?: string;
  moves?: MoveReport[];
}

interface PastRound {
  number: number;
  first: number;
  last: number;
  game: string;
  began: string;
  ended: string;
  outcome: string;
  older: number | null;
  newer: number | null;
  report: RoundReport;
  findings: PastFinding[];
  rulings: { at: string; who: string; what: string; by: Speaker | null }[];
  cleared: { at: string; by: string; role: string; reason: string; codes: string[] }[];
}

interface ToldRound {
  round: PastRound;
  steps: PastStep[];
  /** the steps came to the round as its record has it */
  true: boolean;
  kept_by: string | null;
  notation: string | null;
  about: { kept: boolean; begins?: string; plays?: boolean };
}

// --- Health ---------------------------------------------------------------------------------------------------------

/** One check of the doctor; `well` is null where nothing can be said. */
interface Check {
  name: string;
  well: boolean | null;
  said: string;
  remedy: string;
  code: string;
  values: Record<string, string>;
}

interface LinkHealth {
  up: boolean;
  port: string;
  firmware?: string | null;
  protocol?: number[] | null;
  serial?: string | null;
  edition?: number | null;
  authenticated?: boolean;
  proved?: boolean | null;
  link?: { frames: number; bad: number; gaps: number; resent: number } | null;
  station?: { downs: number } | null;
}

interface HealthFacts {
  links: Record<string, LinkHealth>;
  latency?: { p50: number | null; p99: number | null; max: number | null };
  journal: { signed: number | null; segment: string };
  disk?: { free: number; total: number } | null;
  table: { game: string; sensors: string[] };
}

interface Coverage {
  code: string;
  covered: boolean;
  missing: string;
  clauses: string[];
}

/** The rounds that ended within one part of the time, and their findings by kind. */
interface PaceBucket {
  at: string;
  count: number;
  findings: Record<string, number>;
}

interface Pace {
  /** how long a part is, in seconds */
  bucket: number;
  /** the kinds of findings, the most frequent first */
  codes: string[];
  rounds: PaceBucket[];
}

interface Samples {
  /** null where there is no journal */
  pace: Pace | null;
  latency: { at: string; here: number; p50: number | null; p99: number | null }[];
  links: Record<string, { at: string; frames: number; spoiled: number }[]>;
}

/** The window that the plots show, and what they are drawn with. */
type PlotWindow = Pick<PlotOptions, "from" | "to" | "lang" | "t">;

// --- Games ----------------------------------------------------------------------------------------------------------

/** What is chosen on the page of the games. */
interface GamesChoice {
  part: "compare" | "rulings" | "clauses" | "readings";
  game: string;
  all: boolean;
  standing: string;
  words: string;
  readings: string;
}

interface RuleCell {
  value: string;
  /** of the text of the value, empty where it is shown as it is */
  key: string;
  clause: string;
}

interface RuleRow {
  key: string;
  wager: string;
  differs: boolean;
  games: Record<string, RuleCell>;
}

interface GamesTable {
  games: { id: string }[];
  rows: RuleRow[];
}

interface RulingRow {
  code: string;
  case: string;
  case_key: string;
  whose: string;
  stages: string[];
  ruling: string | null;
  clause: string;
  note: string;
  note_key: string;
}

interface ClauseRow {
  clause: string;
  standing: string;
  note: string;
  code: { name: string }[];
  held_by: { file: string; test?: string }[];
}

/** A finding and its case, with a ruling for each stage. */
interface RulingLine {
  code: string;
  case: string;
  whose: string;
  cells: Record<string, RulingRow>;
}

interface RulingsTable {
  stages: { name: string; key: string }[];
  rows: RulingRow[];
  precedence: { code: string; why: string }[];
}

interface ClausesTable {
  totals: Record<string, number>;
  rows: ClauseRow[];
  /** it is known which tests hold a clause */
  held: boolean;
}

interface Reading {
  name: string;
  games: string[];
  clauses: string;
  question: string;
  taken: string;
  other: string;
  why: string;
}

type GamesPart = (app: App, chosen: GamesChoice, again: () => unknown) => Promise<Child>;
