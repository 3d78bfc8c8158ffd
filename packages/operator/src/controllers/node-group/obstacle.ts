/** Something that would make an update fail, or hurt: it is better not begun. */
export type GroupObstacle = {
  readonly reason: string;
  readonly message: string;
  readonly namespace?: string;
  readonly pod?: string;
  readonly node?: string;
  readonly podDisruptionBudget?: string;
};
