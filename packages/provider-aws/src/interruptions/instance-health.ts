import {
  DescribeInstanceStatusCommand,
  type EventCode,
  type Filter,
  type InstanceStatus,
  type InstanceStatusEvent,
  type InstanceStatusSummary,
} from '@aws-sdk/client-ec2';
import { byTextOf, instant, type Instant, minutes } from '@nodewright/apis';
import type { HealthCategory, UnhealthyInstance } from '@nodewright/ports';
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

const questions: readonly Filter[] = [
  { Name: 'instance-status.status', Values: ['impaired'] },
  { Name: 'system-status.status', Values: ['impaired'] },
  { Name: 'event.code', Values: [...eventCodes] },
];

/** What EC2's own checks find wrong with instances, and what is planned for them. */
export class InstanceHealth {
  readonly #context: AwsContext;

  constructor(context: AwsContext) {
    this.#context = context;
  }

  async unhealthy(signal: AbortSignal): Promise<readonly UnhealthyInstance[]> {
    const answers = await Promise.all(questions.map((filter) => this.#statuses(filter, signal)));
    const byId = new Map(answers.flat().map((status) => [status.InstanceId ?? '', status]));
    const now = this.#context.clock.now();
    return [...byId]
      .map(([instanceId, status]) => ({ instanceId, categories: categoriesOf(status, now) }))
      .filter(({ categories }) => categories.length > 0)
      .toSorted(byTextOf(({ instanceId }) => instanceId));
  }

  async #statuses(filter: Filter, signal: AbortSignal): Promise<readonly InstanceStatus[]> {
    const { call, clients } = this.#context;
    const pages = await readAllPages((NextToken) =>
      call(
        (options) =>
          clients.ec2.send(
            new DescribeInstanceStatusCommand({ Filters: [filter], MaxResults: 1_000, NextToken }),
            options,
          ),
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
