/* What the server says of training (hal_sim/training/trainer.py, routes.py). */

interface TrainingLesson {
  id: string;
  clause: string;
  code: string;
  title: string;
  acts: number;
}

interface TrainingCourse {
  lessons: TrainingLesson[];
  errors: { name: string; code: string }[];
}

interface TrainingAct {
  by: "you" | "injected";
  words: string;
  /** by language */
  advised: Record<string, string>;
  seconds: number;
  refused: string;
  refusal: RefusalReport | null;
  findings: { code: string; clause: string; ruling: string; places: string[] }[];
  right: boolean;
}

/** The lesson that is on or was last. */
interface TrainingNow {
  id: string;
  person: string;
  game: string;
  lesson: TrainingLesson | null;
  rounds: number | null;
  round: number;
  seconds: number;
  acts: number;
  right: number;
  hints: number;
  score: number;
  over: boolean;
  left: boolean;
  passed: boolean;
  failed: string[];
  debrief: TrainingAct[];
}

interface TrainingEntry {
  lesson: string;
  at: string;
  score: number;
  seconds: number;
  passed: boolean;
}

interface TrainingState {
  now: TrainingNow | null;
  people: { name: string; entries: TrainingEntry[] }[];
}
