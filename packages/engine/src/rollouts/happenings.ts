import type { NodeRolloutStatus } from '@nodewright/apis';
import { printFailedNode } from './comparison-node.ts';
import type { AnsweredRequests } from './requests.ts';
import { isRollback, type RolloutView } from './view.ts';
import type { WaveProgress } from './wave-progress.ts';

/** What is reported of a rollout as events and messages. */
export type RolloutHappening = {
  readonly kind:
    | 'Started'
    | 'WaveBegun'
    | 'WaveDone'
    | 'WaitingForApproval'
    | 'NodeFailed'
    | 'Halted'
    | 'Resumed'
    | 'RequestAnswered'
    | 'Parked'
    | 'Superseded'
    | 'RolledBack'
    | 'Complete'
    | 'Stalled';
  readonly rollout: string;
  readonly message: string;
};

type HappeningQuestion = {
  readonly name: string;
  readonly before: RolloutView;
  readonly after: NodeRolloutStatus;
  readonly wave: WaveProgress;
  readonly isWaveOver: boolean;
  readonly isComplete: boolean;
  readonly answered: AnsweredRequests;
  readonly outcome: string;
};

/** What has happened between two states of a rollout, in the order in which it is reported. */
export function listHappenings({
  name,
  before,
  after,
  wave,
  isWaveOver,
  isComplete,
  answered,
  outcome,
}: HappeningQuestion): readonly RolloutHappening[] {
  const { status, rollout } = before;
  const tell = (kind: RolloutHappening['kind'], message: string): RolloutHappening => ({
    kind,
    rollout: name,
    message,
  });
  const failures = (after.failures ?? []).slice((status.failures ?? []).length);
  const answers = answered.log.filter((entry) => !(status.log ?? []).includes(entry));
  const hasBegun = (status.waves ?? []).find((each) => each.name === wave.status.name)?.startedAt !== undefined;
  const wasWaiting = status.state === 'WaitingForApproval';
  const wasStalled = status.state === 'Stalled';
  return [
    ...(status.startedAt === undefined
      ? [
          tell(
            'Started',
            `${rollout.spec.cause}: ${rollout.spec.members} ${rollout.spec.members === 1 ? 'node' : 'nodes'} to move`,
          ),
        ]
      : []),
    ...answers.map((entry) =>
      tell('RequestAnswered', `${entry.request} "${entry.value}" by ${entry.by}: ${entry.answer}`),
    ),
    ...(answered.resume === undefined ? [] : [tell('Resumed', answered.resume)]),
    ...(hasBegun || !wave.isBegun
      ? []
      : [
          tell(
            'WaveBegun',
            `wave ${wave.status.name} has ${wave.status.seats} ${wave.status.seats === 1 ? 'seat' : 'seats'}`,
          ),
        ]),
    ...failures.map((failure) =>
      tell('NodeFailed', `${printFailedNode(failure)}: ${failure.signal}: ${failure.evidence}`),
    ),
    ...(after.halted !== undefined && status.halted === undefined ? [tell('Halted', after.halted.message)] : []),
    ...(after.state === 'WaitingForApproval' && !wasWaiting
      ? [tell('WaitingForApproval', `wave ${wave.status.name} waits for a person`)]
      : []),
    ...(isWaveOver ? [tell('WaveDone', `wave ${wave.status.name}: ${outcome}`)] : []),
    ...(after.state === 'Stalled' && !wasStalled ? [tell('Stalled', `${after.remaining} nodes remain`)] : []),
    ...(isComplete
      ? [
          tell(
            isRollback(rollout) ? 'RolledBack' : 'Complete',
            `${after.updated} ${after.updated === 1 ? 'node runs' : 'nodes run'} ${after.target ?? 'the target'}`,
          ),
        ]
      : []),
  ];
}
