/** One answer of a preflight check. */
export type PreflightFinding = {
  readonly check: 'version' | 'image' | 'nodeGroup' | 'skew' | 'api' | 'budget' | 'protection' | 'subnet' | 'quota';
  /** `EC2NodeClass default`. */
  readonly about: string;
  /** `blocked`: the upgrade, or the nodes after it, come to a stop here. */
  readonly verdict: 'ok' | 'attention' | 'blocked';
  /** A clause. */
  readonly says: string;
  /** What to write, or do, in place of it. */
  readonly instead?: string;
};

export type PreflightReport = {
  readonly from: string;
  readonly to: string;
  readonly findings: readonly PreflightFinding[];
  readonly unread: readonly { readonly what: string; readonly because: string }[];
};
