/** What a check of a takeover found. */
export type TakeoverFinding = {
  readonly check: 'kinds' | 'karpenter' | 'nodewright' | 'lease' | 'settings' | 'drift';
  /** What is blocked keeps the takeover from beginning. */
  readonly state: 'ok' | 'warning' | 'blocked';
  readonly subject: string;
  readonly message: string;
};
