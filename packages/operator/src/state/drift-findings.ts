/** Why a claim has drifted apart from its image, and the specs that it was held against. */
export type DriftFinding = { readonly reason?: string; readonly specs: string };

/**
 * What drift found of the claims that a rollout policy governs: they show it in a condition only when the policy lets them
 * go. It lives in memory: after a restart every claim is held against its specs again.
 */
export class DriftFindings {
  readonly #findings = new Map<string, DriftFinding>();
  readonly #handlers: ((claim: string) => void)[] = [];

  record(claim: string, finding: DriftFinding): void {
    const before = this.#findings.get(claim);
    if (before !== undefined && before.reason === finding.reason && before.specs === finding.specs) return;
    this.#findings.set(claim, finding);
    for (const handler of this.#handlers) handler(claim);
  }

  forget(claim: string): void {
    this.#findings.delete(claim);
  }

  findingOf(claim: string): DriftFinding | undefined {
    return this.#findings.get(claim);
  }

  /** Called with the name of a claim of which something else was found. */
  onChange(handler: (claim: string) => void): void {
    this.#handlers.push(handler);
  }
}
