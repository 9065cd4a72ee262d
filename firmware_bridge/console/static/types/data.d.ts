/* What the pages Health and Games pass between their own parts. What the console answers is in answers.d.ts. */

// --- Health ---------------------------------------------------------------------------------------------------------

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

/** A finding and its case, with a ruling for each stage. */
interface RulingLine {
  code: string;
  case: string;
  whose: string;
  cells: Record<string, WhoseRuling>;
}

type GamesPart = (app: App, chosen: GamesChoice, again: () => unknown) => Promise<Child>;
