import {
  DescribeInstanceStatusCommand,
  type DescribeInstanceStatusRequest,
  type EventCode,
  type Filter,
  type InstanceStatus,
  type InstanceStatusEvent,
  type InstanceStatusSummary,
} from '@aws-sdk/client-ec2';
import { byTextOf, instant, type Instant, minutes } from '@nodewright/apis';
import type { HealthCategory, UnhealthyInstance } from '@nodewright/ports';
import { isAwsNotFound } from '../calls/error-codes.ts';
import type { AwsContext } from '../context.ts';
import { readAllPages } from '../calls/pages.ts';

/** A check that fails may pass again by itself in between. */
const failedForMs = minutes(2);

const eventCodes: readonly EventCode[] = [
  'instance-reboot',
  'system-reboot',
  'system-maintenance',
  'instance-retirement',
  'instance-stop',
];

/** EC2 takes so many ids in one call. */
const mostIdsInOneCall = 100;

const questions: readonly Filter[] = [
  { Name: 'instance-status.status', Values: ['impaired'] },
  { Name: 'system-status.status', Values: ['impaired'] },
  { Name: 'event.code', Values: [...eventCodes] },
];

/** What EC2's own checks find wrong with instances, and what is planned for them. */
export class InstanceHealth {
  readonly #context: AwsContext;
  readonly #knownIds: () => readonly string[];

  /** @param knownIds of the cluster's instances, as far as they were listed */
  constructor(context: AwsContext, knownIds: () => readonly string[]) {
    this.#context = context;
    this.#knownIds = knownIds;
  }

  async unhealthy(signal: AbortSignal): Promise<readonly UnhealthyInstance[]> {
    const byId = new Map((await this.#suspects(signal)).map((status) => [status.InstanceId ?? '', status]));
    const now = this.#context.clock.now();
    return [...byId]
      .map(([instanceId, status]) => ({ instanceId, categories: categoriesOf(status, now) }))
      .filter(({ categories }) => categories.length > 0)
      .toSorted(byTextOf(({ instanceId }) => instanceId));
  }

  /** One call tells of few instances; of many, one call for each question tells of those that it is true of. */
  async #suspects(signal: AbortSignal): Promise<readonly InstanceStatus[]> {
    const known = this.#knownIds();
    if (known.length > 0 && known.length <= mostIdsInOneCall) {
      try {
        return await this.#statuses({ InstanceIds: [...known] }, signal);
      } catch (error) {
        if (!isAwsNotFound(error)) throw error;
      }
    }
    const answers = await Promise.all(
      questions.map((filter) => this.#statuses({ Filters: [filter], MaxResults: 1_000 }, signal)),
    );
    return answers.flat();
  }

  async #statuses(question: DescribeInstanceStatusRequest, signal: AbortSignal): Promise<readonly InstanceStatus[]> {
    const { call, clients } = this.#context;
    const pages = await readAllPages((NextToken) =>
      call(
        (options) => clients.ec2.send(new DescribeInstanceStatusCommand({ ...question, NextToken }), options),
        signal,
      ),
    );
    return pages.flatMap(({ InstanceStatuses: statuses = [] }) => statuses);
  }
}

/** What is wrong with one instance. The state of its disks is not looked at. */
export function categoriesOf(status: InstanceStatus, now: Instant): readonly HealthCategory[] {
  return [
    ...(isFailed(status.InstanceStatus, now) ? ['InstanceStatus' as const] : []),
    ...(isFailed(status.SystemStatus, now) ? ['SystemStatus' as const] : []),
    ...((status.Events ?? []).some(isAhead) ? ['EventStatus' as const] : []),
  ];
}

const isFailed = (summary: InstanceStatusSummary | undefined, now: Instant): boolean =>
  (summary?.Details ?? []).some(
    ({ Status: status, ImpairedSince: since }) =>
      status === 'failed' && instant(since?.getTime() ?? 0) + failedForMs <= now,
  );

/** EC2 tells events that are over, or were called off, for a week more, and says so in their descriptions. */
const isAhead = ({ Code: code, Description: text = '' }: InstanceStatusEvent): boolean =>
  code !== undefined && eventCodes.includes(code) && !/^\[(Completed|Cancell?ed)\]/i.test(text);
