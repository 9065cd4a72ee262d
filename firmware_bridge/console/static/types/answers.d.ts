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
}

/** One line of the list of rounds. */
interface RoundRow {
  id: number;
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

/** The person who said something. */
interface Speaker {
  name: string;
  role: string;
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
