/* What the modules of the floor's page pass to each other. What comes from the server is in floor.d.ts. */

/** What is told of each event of the stream; what the connection itself does has no data. */
type PitListeners = { [Kind in keyof PitStream]?: (news: Required<PitStream>[Kind]) => unknown } & {
  lost?: () => unknown;
  reached?: () => unknown;
};

/** A page of the floor while it is shown. */
interface PitPage {
  tiles?: (changed: Tile[], gone: string[]) => unknown;
  keys?: () => Key[];
  close?: () => unknown;
  must?: boolean;
}

/** What a page of the floor is given. */
interface PitApp extends BaseApp {
  tiles: Map<string, Tile>;
  casino: string;
  takeUp: (tile: Tile, alarm: TileAlarm) => Promise<void>;
  style: (address: string) => void;
  /** the id of a command that nobody has given before */
  freshId: () => string;
}
