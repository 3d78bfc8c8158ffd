import { fromTimestamp, type NodeRollout, type RolloutLogEntry, toTimestamp } from '@nodewright/apis';
import { findResumeObstacles, type ResumeObstacles } from './resume-obstacles.ts';
import type { RolloutRequest, RolloutSnapshot } from './snapshot.ts';
import { type RolloutView, viewRollout } from './view.ts';
import { approvalNeeded } from './wait-reasons.ts';
import { parseRollback, refusalOfRollback } from './way-back.ts';

/** The requests of people that are answered in this plan. */
export type AnsweredRequests = {
  readonly approvedWaves: readonly string[];
  readonly halt?: string;
  readonly resume?: string;
  readonly rollback?: string;
  readonly skippedSoaks: readonly string[];
  /** What was asked and answered, older first. */
  readonly log: readonly RolloutLogEntry[];
  /** Requests that are recorded and can be taken off the rollout. */
  readonly toClear: readonly RolloutRequest[];
};

const longestLog = 50;

/**
 * Each request counts once: it is recorded before it is taken off, so that a restart in between neither repeats nor
 * forgets it. A request is known by its kind, its text and the time of its writing.
 */
export function answerRequests({ rollout, status }: RolloutView, seen: RolloutSnapshot): AnsweredRequests {
  const asked = seen.requests.filter((request) => request.rollout === rollout.metadata.name);
  const fresh = asked.filter((request) => !(status.log ?? []).some((entry) => isAnswerTo(entry, request)));
  const waves = new Set((status.waves ?? []).map(({ name }) => name));
  const isEnded = status.endedAt !== undefined;
  const refusal = (value: string) => refusalOfRollback(rollout, parseRollback(value), seen);
  const obstacles = () => findResumeObstacles({ ...rollout, status }, seen);
  const answered = fresh.map((request) => ({
    request,
    answer: answerOf(request, { waves, isEnded, status, refusal, obstacles }),
  }));
  const accepted = answered.filter(({ answer }) => answer.isAccepted).map(({ request }) => request);
  const last = (kind: RolloutRequest['kind']) => accepted.findLast((request) => request.kind === kind)?.value;
  const [halt, resume, rollback] = [last('halt'), last('resume'), last('rollback')];
  const log = answered.map(({ request, answer }) => entryOf(request, answer));
  return {
    approvedWaves: accepted.filter(({ kind }) => kind === 'approve').map(({ value }) => waveOfRequest(value)),
    skippedSoaks: accepted.filter(({ kind }) => kind === 'skip-soak').map(({ value }) => waveOfRequest(value)),
    ...(halt === undefined ? {} : { halt }),
    ...(resume === undefined ? {} : { resume }),
    ...(rollback === undefined ? {} : { rollback }),
    log: [...(status.log ?? []), ...log].slice(-longestLog),
    toClear: asked,
  };
}

/** A person resumes the halted rollout with this plan. */
export const isResumed = (rollout: NodeRollout, seen: RolloutSnapshot): boolean =>
  answerRequests(viewRollout(rollout, seen), seen).resume !== undefined;

const isAnswerTo = (entry: RolloutLogEntry, { kind, value, at }: RolloutRequest): boolean =>
  entry.request === kind && entry.value === value && fromTimestamp(entry.at) === at;

const entryOf = ({ kind, value, by, at }: RolloutRequest, answer: RequestAnswer): RolloutLogEntry => ({
  request: kind,
  value,
  by,
  at: toTimestamp(at),
  answer: answer.text,
  ...(answer.isAccepted ? {} : { refused: true }),
});

type RequestAnswer = { readonly isAccepted: boolean; readonly text: string };

/** `<wave>` or `<wave>=<reason>`. */
const waveOfRequest = (value: string): string => value.split('=')[0] ?? '';

/** A wave that has begun is approved for one thing alone: a neighbour of which nothing is known. */
function refusalOfApproval(name: string, { waves = [], conditions = [] }: RolloutView['status']): string | undefined {
  const wave = waves.find((each) => each.name === name);
  if (wave?.endedAt !== undefined) return `wave ${name} is over`;
  const wait = conditions.find(({ type }) => type === 'WaitingForApproval');
  if (wave?.startedAt === undefined || wait?.reason === approvalNeeded) return undefined;
  return wait?.status === 'True'
    ? `wave ${name} has begun, and an approval changes nothing: ${wait.message}`
    : `wave ${name} has begun, and waits for no approval`;
}

type RequestContext = {
  readonly waves: ReadonlySet<string>;
  readonly isEnded: boolean;
  readonly status: RolloutView['status'];
  /** Why a rollback cannot be begun. */
  readonly refusal: (value: string) => string | undefined;
  readonly obstacles: () => ResumeObstacles;
};

function answerOf({ kind, value }: RolloutRequest, context: RequestContext): RequestAnswer {
  const accepted = (text: string) => ({ isAccepted: true, text });
  const refused = (text: string) => ({ isAccepted: false, text });
  const known = [...context.waves].join(', ');
  if (context.isEnded && kind !== 'rollback') return refused('the rollout has ended');
  switch (kind) {
    case 'approve': {
      const wave = waveOfRequest(value);
      if (!context.waves.has(wave)) return refused(`there is no wave "${wave}"; the waves are ${known}`);
      const because = refusalOfApproval(wave, context.status);
      return because === undefined ? accepted(`wave ${wave} is approved`) : refused(because);
    }
    case 'skip-soak': {
      const wave = waveOfRequest(value);
      if (!context.waves.has(wave)) return refused(`there is no wave "${wave}"; the waves are ${known}`);
      return value.includes('=')
        ? accepted(`wave ${wave} need not soak`)
        : refused('a reason is needed: <wave>=<reason>');
    }
    case 'halt':
      return value === '' ? refused('a reason is needed') : accepted('the rollout is halted');
    case 'resume': {
      if (value === '') return refused('a reason is needed');
      if (context.status.halted === undefined) return refused('the rollout is not halted');
      const { obstacles, isStopped } = context.obstacles();
      if (isStopped) return refused(obstacles.join('; '));
      return accepted(['the rollout goes on', ...obstacles].join('; '));
    }
    case 'rollback': {
      const because = context.refusal(value);
      return because === undefined ? accepted('the rollout is taken back') : refused(because);
    }
  }
}
