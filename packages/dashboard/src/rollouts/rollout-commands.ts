import { conditionOf, type NodeRollout } from '@nodewright/apis';
import { soakSkipNeeded } from '@nodewright/engine';

/** A command that a person may give now. */
export type RolloutCommand = {
  readonly purpose: string;
  readonly command: string;
  /** Whether the rollout does not go on without one of this purpose. */
  readonly isNeeded: boolean;
};

/** What a person can do about a rollout now, in full; nothing once it has ended. */
export function listRolloutCommands({
  metadata: { name },
  status = {},
  ...rest
}: NodeRollout): readonly RolloutCommand[] {
  if (status.endedAt !== undefined) return [];
  const ask = (verb: string): string => `nodewright rollout ${verb} ${name} --reason TEXT`;
  if (status.state === 'Halted') {
    const purpose = 'what leads on, beside a newer release';
    return ['resume', 'rollback'].map((verb) => ({ purpose, command: ask(verb), isNeeded: true }));
  }
  const wait = conditionOf({ ...rest, metadata: { name }, status }, 'WaitingForApproval');
  const isWaiting = status.state === 'WaitingForApproval' || wait?.status === 'True';
  const leadsOn = wait?.reason === soakSkipNeeded ? 'skip-soak' : 'approve';
  return [
    ...(isWaiting
      ? [{ purpose: 'what it waits for', command: ask(leadsOn), isNeeded: status.state === 'WaitingForApproval' }]
      : []),
    ...(status.state === 'Soaking'
      ? [{ purpose: 'to end the soak of the wave early', command: ask('skip-soak'), isNeeded: false }]
      : []),
    { purpose: 'to stop it before the next node', command: ask('halt'), isNeeded: false },
  ];
}
