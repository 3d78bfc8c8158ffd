import type { NodeRollout } from '@nodewright/apis';
import type { RunRollout } from './run-record.ts';

/** Keeps the last state of every rollout. */
export class RolloutWatch {
  readonly #rollouts = new Map<string, RunRollout>();

  see({ metadata, status }: NodeRollout): void {
    const holds = (type: string) => status?.conditions?.find((each) => each.type === type && each.status === 'True');
    const state = [
      'Halted',
      'Superseded',
      'Complete',
      'WaitingForApproval',
      'WaitingForWindow',
      'Soaking',
      'Stalled',
    ].find((type) => holds(type) !== undefined);
    const waits = holds('WaitingForApproval');
    const halted = holds('Halted');
    this.#rollouts.set(metadata.name, {
      name: metadata.name,
      state: state ?? 'Progressing',
      waves: (status?.waves ?? []).map(({ name, startedAt, endedAt }) => ({
        name,
        ...(startedAt === undefined ? {} : { startedAt }),
        ...(endedAt === undefined ? {} : { endedAt }),
      })),
      ...(waits === undefined ? {} : { waitsFor: waits.message ?? waits.reason ?? '' }),
      ...(halted === undefined ? {} : { haltedBecause: halted.message ?? halted.reason ?? '' }),
      ...(status?.expectedEnd === undefined ? {} : { expectedEnd: status.expectedEnd }),
      nodesLeft: status?.endedAt === undefined ? (status?.remaining ?? 0) : 0,
    });
  }

  results(): readonly RunRollout[] {
    return [...this.#rollouts.values()];
  }
}
