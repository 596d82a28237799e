export interface Problem {
  variable: string;
  /** What is wrong, and what would be right. Holds no secret. */
  message: string;
}
