import { fromTimestamp, type Instant, instant, seconds } from '@nodewright/apis';
import { timeProblem } from '../../builtin/time-problem.ts';
import { parseInt64, parseSwitch } from '../../http/go-values.ts';
import { badRequestError, invalidError, type StatusCause } from '../../http/status-error.ts';

/** What a request for a log asks for, apart from the container. */
export type AskedLog = {
  readonly previous: boolean;
  readonly follow: boolean;
  readonly timestamps: boolean;
  readonly tailLines?: number;
  readonly since?: Instant;
  readonly limitBytes?: number;
};

type LogNumbers = { readonly tailLines?: number | undefined; readonly limitBytes?: number | undefined } & LogStart;
type LogStart = { readonly sinceSeconds?: number | undefined; readonly sinceTime?: Instant | undefined };

/**
 * Reads the options of a request for the log of a pod, as `PodLogOptions` are checked: before the pod is looked for.
 * @throws StatusError 400 for a value that cannot be read, 422 for one that is not allowed
 */
export function readLogOptions(query: URLSearchParams, pod: string, now: Instant): AskedLog {
  const sinceSeconds = parseInt64(query.get('sinceSeconds'));
  const sinceTime = parseLogTime(query.get('sinceTime'));
  const tailLines = parseInt64(query.get('tailLines'));
  const limitBytes = parseInt64(query.get('limitBytes'));
  const causes = listLogCauses({ sinceSeconds, sinceTime, tailLines, limitBytes });
  if (query.has('stream')) causes.push(forbiddenLogCause('stream', 'may not be specified'));
  if (causes.length > 0) throw invalidError({ group: '', kind: 'PodLogOptions' }, pod, causes);
  const since = sinceSeconds === undefined ? sinceTime : instant(now - seconds(sinceSeconds));
  return {
    previous: parseSwitch(query.get('previous')),
    follow: parseSwitch(query.get('follow')),
    timestamps: parseSwitch(query.get('timestamps')),
    ...(tailLines !== undefined && { tailLines }),
    ...(limitBytes !== undefined && { limitBytes }),
    ...(since !== undefined && { since }),
  };
}

/** An empty time, and `null`, are none. */
function parseLogTime(text: string | null): Instant | undefined {
  if (text === null || text === '' || text === 'null') return undefined;
  const problem = timeProblem(text, false);
  if (problem !== undefined) throw badRequestError(problem);
  return fromTimestamp(text.replace(',', '.'));
}

function listLogCauses({ sinceSeconds, sinceTime, tailLines, limitBytes }: LogNumbers): StatusCause[] {
  const causes: StatusCause[] = [];
  if (tailLines !== undefined && tailLines < 0)
    causes.push(invalidLogCause('tailLines', `${tailLines}: must be greater than or equal to 0`));
  if (limitBytes !== undefined && limitBytes < 1)
    causes.push(invalidLogCause('limitBytes', `${limitBytes}: must be greater than 0`));
  if (sinceSeconds !== undefined && sinceTime !== undefined)
    causes.push(forbiddenLogCause('[]', 'at most one of `sinceTime` or `sinceSeconds` may be specified'));
  else if (sinceSeconds !== undefined && sinceSeconds < 1)
    causes.push(invalidLogCause('sinceSeconds', `${sinceSeconds}: must be greater than 0`));
  return causes;
}

const invalidLogCause = (field: string, text: string): StatusCause => ({
  reason: 'FieldValueInvalid',
  message: `Invalid value: ${text}`,
  field,
});

const forbiddenLogCause = (field: string, text: string): StatusCause => ({
  reason: 'FieldValueForbidden',
  message: `Forbidden: ${text}`,
  field,
});
