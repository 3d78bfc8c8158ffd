import { fromTimestamp, type RolloutLogEntry, toTimestamp } from '@nodewright/apis';
import type { RolloutRequest, RolloutSnapshot } from './snapshot.ts';
import type { RolloutView } from './view.ts';
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
  const answered = fresh.map((request) => ({
    request,
    answer: answerOf(request, { waves, isEnded, status, refusal }),
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

type RequestContext = {
  readonly waves: ReadonlySet<string>;
  readonly isEnded: boolean;
  readonly status: RolloutView['status'];
  /** Why a rollback cannot be begun. */
  readonly refusal: (value: string) => string | undefined;
};

function answerOf({ kind, value }: RolloutRequest, context: RequestContext): RequestAnswer {
  const accepted = (text: string) => ({ isAccepted: true, text });
  const refused = (text: string) => ({ isAccepted: false, text });
  const known = [...context.waves].join(', ');
  if (context.isEnded && kind !== 'rollback') return refused('the rollout has ended');
  switch (kind) {
    case 'approve': {
      const wave = waveOfRequest(value);
      return context.waves.has(wave)
        ? accepted(`wave ${wave} is approved`)
        : refused(`there is no wave "${wave}"; the waves are ${known}`);
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
    case 'resume':
      if (value === '') return refused('a reason is needed');
      return context.status.halted === undefined
        ? refused('the rollout is not halted')
        : accepted('the rollout goes on');
    case 'rollback': {
      const because = context.refusal(value);
      return because === undefined ? accepted('the rollout is taken back') : refused(because);
    }
  }
}
