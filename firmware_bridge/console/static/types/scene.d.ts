/* What a page gets from the table. Made by `python -m firmware_bridge.shown.typedefs`: change the types of the program,
   not this file. */

/** A main wager on a box. */
interface ShownMain {
  slot: number;
  amount: string;
  player: string | null;
}

/** A side wager. */
interface ShownSide {
  kind: string;
  slot: number;
  amount: string;
  player: string | null;
  /** 1, or on split Aces the hand that it was placed on */
  hand: number;
  /** the clause by which it has gone back */
  returned: string | null;
  /** pay, take or leave where an interim settlement has settled it, else empty */
  act: string;
}

/** An insurance wager on the main wager at a slot. */
interface ShownInsurance {
  slot: number;
  amount: string;
  player: string | null;
  /** the clause by which it has gone back */
  returned: string | null;
}

/** Chips that lie there before bets open. */
interface ShownChips {
  kind: string;
  slot: number;
  amount: string;
  player: string | null;
}

/** What one Player has on one hand. */
interface ShownStake {
  slot: number;
  amount: string;
  doubled: boolean;
  /** Free Bet Markers for splits */
  free_split: number;
  /** Free Bet Markers for doubles */
  free_double: number;
  /** the Player has no further part in the hand */
  off: boolean;
  even_money: boolean;
  surrendered: boolean;
  rescued: boolean;
}

/** One hand of a box. */
interface ShownHand {
  hand: number;
  place: string;
  cards: string[];
  /** null where a card lies face down or elsewhere */
  total: number | null;
  soft: boolean | null;
  /** its name if it is one: blackjack or pontoon */
  natural: string;
  turn: boolean;
  over: boolean;
  stood: boolean;
  /** it was paid or collected on the way */
  settled: boolean;
  stakes: ShownStake[];
  /** of the wager of the Player who controls the box, else of the first on the hand */
  result: string | null;
}

/** One box of the layout. */
interface ShownBox {
  mains: ShownMain[];
  sides: ShownSide[];
  insurance: ShownInsurance[];
  number: number;
  /** the slot of the Player who controls the box, 0 without one */
  controller: number;
  /** the slot of the Player who is seated there, 0 without one */
  seated: number;
  squeeze: boolean;
  /** 0 off, 1 steady, 2 blinking */
  lamp: number;
  early: ShownChips[];
  hands: ShownHand[];
}

/** The Dealer's hand. */
interface ShownDealer {
  cards: string[];
  total: number | null;
  soft: boolean | null;
  /** its name if it is one: blackjack or pontoon */
  natural: string;
  bust: boolean;
}

/** Cards that count for no hand at the place where they lie. */
interface ShownPile {
  /** a place, or `drawn` or `aside` of cards that lie nowhere yet */
  place: string;
  cards: string[];
}

/** The shoe. */
interface ShownShoe {
  /** cards that have left it */
  out: number;
  /** cards of the whole set */
  cards: number;
  cutting_card: "none" | "in" | "out";
  locked: boolean;
  /** it does not answer: whether it is locked is not known */
  away: boolean;
}

/** The table's limits for one kind of wager. */
interface Limit {
  min: string;
  max: string;
}

/** What the Dealer's panel shows. */
interface ShownPanel {
  lamps: number[];
  upper: string;
  lower: string;
  alarm: boolean;
  locked: boolean;
}

/** The next thing to do, as page and panel say it. */
interface ShownAdvice {
  /** of the catalogue */
  key: string;
  /** the text by language */
  text: Record<string, string>;
  /** what comes after it, by language, where that is known */
  then: Record<string, string> | null;
  /** what holds nothing up and is still open, by language */
  beside: Record<string, string> | null;
  /** the button that answers it, empty where a card or a person does */
  press: string;
  /** the place of which it speaks */
  place: string | null;
  /** a card is the answer */
  deals: boolean;
}

/** One answer to a question, as a statement that the table takes. */
interface AnswerOption {
  option: string;
  statement: string;
}

/** A question of the table to people. */
interface ShownAsk {
  who: string;
  options: string[];
  clause: string;
  roles: string[];
  answers: AnswerOption[];
}

/** One card that goes from one place to another, and whether it has gone. */
interface ShownMove {
  /** rank and suit, `??` where nobody may know it */
  card: string;
  from: string;
  to: string;
  done: boolean;
}

/** One step of what is to be done. */
interface ShownStep {
  /** the text by language */
  text: Record<string, string>;
  /** the table knows that it is done */
  done: boolean;
  /** it is to be done now */
  now: boolean;
}

/** How far a ruling is carried out. */
interface ShownProgress {
  /** the ruling, or `void-next`, `hold-next` or `noted` */
  rule: string;
  steps: ShownStep[];
  /** what is missing: approval ROLE, moves, answers, word ROLE, load, device NAME */
  waits: string[];
}

/** A finding that is being carried out. */
interface ShownMatter {
  /** of its finding */
  key: string;
  code: string;
  clause: string;
  ruling: string;
  places: string[];
  cards: string[];
  whose: string;
  /** the key of why cards may not be capable of being put where they belong */
  obstacle: string | null;
  moves: ShownMove[];
  progress: ShownProgress;
}

/** A statement that carries something on. */
interface Duty {
  statement: string;
  roles: string[];
}

/** Whose claim to a wager comes first; `first` is null where no claim is accepted. */
interface PreferenceReport {
  place: string;
  kind: string;
  claims: string[];
  equal: string[];
  first: string | null;
  clause: string;
}

/** A command that may be given now. */
interface Sayable {
  statement: string;
  /** the hand or box of which it speaks */
  place: string | null;
}

/** A statement that mends a mistake. */
interface Correction {
  statement: string;
  /** the first word of the command that is taken back, else empty */
  of: string;
  roles: string[];
}

/** One wager; `result`, `net` and `clause` are null while it has no outcome. */
interface WagerReport {
  box: number;
  slot: number;
  hand: number;
  kind: string;
  player: string | null;
  stake: string;
  result: string | null;
  net: string | null;
  clause: string | null;
}

/** What is to be done about one wager, or was done. */
interface ShownPayment {
  box: number;
  slot: number;
  hand: number;
  kind: string;
  player: string | null;
  stake: string;
  doubled: boolean;
  act: "pay" | "take" | "leave";
  amount: string;
  /** the text by language */
  reason: Record<string, string>;
  clause: string | null;
  /** it was paid or taken on the way */
  before: boolean;
}

/** What to pay and what to take, box by box. */
interface ShownSettlement {
  /** the round is over: it was paid and taken */
  done: boolean;
  rows: ShownPayment[];
  /** to be paid now, without what was paid before */
  pay: string;
  /** to be taken now */
  take: string;
  /** what the House gains by it */
  house: string;
  /** what was paid before */
  paid: string;
  /** what was taken before */
  taken: string;
}

/** One card that goes from one place to another. */
interface MoveReport {
  card: string;
  from: string;
  to: string;
}

/** One finding; `obstacle` says why cards cannot be put where they belong. */
interface FindingReport {
  code: string;
  clause: string;
  ruling: string;
  places: string[];
  moves: MoveReport[];
  obstacle?: string;
}

/** The table as it stands: all that a screen needs to draw it and to offer what may be said. */
interface Scene {
  game: string;
  title: string;
  state: "idle" | "betting" | "bets-closed" | "initial-deal" | "offers" | "player-turn" | "dealer-turn" | "settlement" | "held" | "void" | "complete";
  /** its number, null before the first */
  round: number | null;
  outcome: "open" | "settled" | "concluded" | "void";
  /** where the next card belongs */
  next: string | null;
  /** the hand whose turn it is */
  turn: string | null;
  boxes: ShownBox[];
  dealer: ShownDealer;
  elsewhere: ShownPile[];
  shoe: ShownShoe;
  /** how each offer stands: due, open, closed or missed */
  offers: Record<string, string>;
  /** the decisions that the game knows beyond hit, stand, double and split */
  decisions: string[];
  /** a wager that the first cards decide is neither paid nor taken */
  interim: boolean;
  /** the kinds of side wagers that the game has */
  spots: string[];
  limits: Record<string, Limit>;
  panel: ShownPanel;
  advice: ShownAdvice;
  /** something to watch, on which nothing is decided yet, by language */
  watch: (Record<string, string>)[];
  /** the question that is asked now first */
  asks: ShownAsk[];
  /** the one that is carried out now first */
  matters: ShownMatter[];
  duties: Duty[];
  claims: PreferenceReport[];
  can: Sayable[];
  corrections: Correction[];
  /** several cards have just come out in one pull, and a person may say which of them show */
  disclose: boolean;
  wagers: WagerReport[];
  /** null while it is not known */
  settlement: ShownSettlement | null;
  /** what was paid and taken while the settlement is not known */
  on_the_way: ShownPayment[];
  findings: FindingReport[];
}

/** What was ruled before. */
interface ReplacedRuling {
  ruling: string;
  clause: string;
  /** who has changed it; empty if a device has, null if that is not known any more */
  by: string | null;
}

/** What somebody did about an alarm. */
interface ShownAct {
  at: string;
  /** empty where a device has seen it */
  person: string;
  /** as the notation says it, without a card */
  what: string;
}

/** An alarm that somebody must clear. */
interface OpenAlarm {
  /** the row of the journal that first proved it */
  n: number;
  at: string;
  code: string;
  clause: string;
  ruling: string;
  places: string[];
  times: number;
  /** it was referred, and nobody was asked */
  noted: boolean;
  /** the roles of which one may clear it */
  roles: string[];
  /** of its finding, empty if that is of no round of this table */
  key: string;
  /** its finding is being carried out, and is among the matters */
  held: boolean;
  /** that was lost */
  device: string;
  cards: string[];
  /** what was ruled before, the first first */
  was: ReplacedRuling[];
  /** what was done about it, the first first */
  acts: ShownAct[];
  progress: ShownProgress;
}

/** The program that runs, and whether people have accepted it. */
interface AdmittedProgram {
  state: string;
  digest: string;
  signer: string | null;
  /** why it may begin no round */
  wrong: string | null;
  /** who must still accept it */
  waits: string | null;
}

/** The scene of now, with what the daemon knows around the table. */
interface LiveScene {
  game: string;
  title: string;
  state: "idle" | "betting" | "bets-closed" | "initial-deal" | "offers" | "player-turn" | "dealer-turn" | "settlement" | "held" | "void" | "complete";
  /** its number, null before the first */
  round: number | null;
  outcome: "open" | "settled" | "concluded" | "void";
  /** where the next card belongs */
  next: string | null;
  /** the hand whose turn it is */
  turn: string | null;
  boxes: ShownBox[];
  dealer: ShownDealer;
  elsewhere: ShownPile[];
  shoe: ShownShoe;
  /** how each offer stands: due, open, closed or missed */
  offers: Record<string, string>;
  /** the decisions that the game knows beyond hit, stand, double and split */
  decisions: string[];
  /** a wager that the first cards decide is neither paid nor taken */
  interim: boolean;
  /** the kinds of side wagers that the game has */
  spots: string[];
  limits: Record<string, Limit>;
  panel: ShownPanel;
  advice: ShownAdvice;
  /** something to watch, on which nothing is decided yet, by language */
  watch: (Record<string, string>)[];
  /** the question that is asked now first */
  asks: ShownAsk[];
  /** the one that is carried out now first */
  matters: ShownMatter[];
  duties: Duty[];
  claims: PreferenceReport[];
  can: Sayable[];
  corrections: Correction[];
  /** several cards have just come out in one pull, and a person may say which of them show */
  disclose: boolean;
  wagers: WagerReport[];
  /** null while it is not known */
  settlement: ShownSettlement | null;
  /** what was paid and taken while the settlement is not known */
  on_the_way: ShownPayment[];
  findings: FindingReport[];
  /** what people call it, empty where nobody has named it */
  table: string;
  /** the last row of the journal */
  n: number;
  /** which devices are there */
  links: Record<string, boolean>;
  /** people must log in */
  roles: boolean;
  /** the key at the panel is turned */
  key: boolean;
  alarms: OpenAlarm[];
  /** why the journal cannot be written */
  stalled: string | null;
  /** of the session that asked */
  role: string | null;
  program: AdmittedProgram | null;
}
