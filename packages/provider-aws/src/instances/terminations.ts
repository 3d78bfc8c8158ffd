import { TerminateInstancesCommand } from '@aws-sdk/client-ec2';
import { type Instant, minutes } from '@nodewright/apis';
import { batchAnswer, type BatchAnswer, Batcher, batchError, type CallBatchWindow } from '../caching/batcher.ts';
import { askInParts, type Failures, mostCalls, type PartFailure } from '../caching/divided-batch.ts';
import { isEndpointError, isAwsNotFound } from '../calls/error-codes.ts';
import type { AwsContext } from '../context.ts';

const instanceBatches: CallBatchWindow = { idleMs: 100, longestMs: 1000, largest: 500 };

/** The batches of a kind of calls, counted under its name in Karpenter. */
export const countedBatches = ({ counters }: AwsContext, batcher: string): CallBatchWindow => ({
  ...instanceBatches,
  onBatch: (batch) => counters.batchSent(batcher, batch),
});

/** Longer than the longest pause of a claim that fails again and again. */
const refusalRememberedMs = minutes(30);

/**
 * Ends instances, many in one call.
 *
 * Guarantees: an instance that EC2 refuses to end, such as a protected one, fails alone. From then on it is asked for
 * apart from the others, so that it takes no calls from them. Every batch makes at most `mostCalls` calls for the
 * instances that were not refused before, and twice as many for those that were; each of the latter gets its turn.
 */
export class Terminations {
  readonly #context: AwsContext;
  readonly #batches: Batcher<string, void>;
  /** When EC2 last refused to end an instance; the least recent first. */
  readonly #refusedAt = new Map<string, Instant>();

  constructor(context: AwsContext) {
    this.#context = context;
    this.#batches = new Batcher(context.clock, countedBatches(context, 'terminate_instances'), (ids) =>
      this.#terminateAll(ids),
    );
  }

  /** Starts to end it; nothing happens to one that is gone. */
  add(id: string): Promise<void> {
    return this.#batches.add(id);
  }

  async #terminateAll(ids: readonly string[]): Promise<readonly BatchAnswer<void>[]> {
    this.#forgetOld();
    const distinct = new Set(ids);
    const refused = [...this.#refusedAt.keys()].filter((id) => distinct.has(id));
    const others = [...distinct].filter((id) => !this.#refusedAt.has(id));
    const failures = new Map([...(await this.#terminateTogether(others)), ...(await this.#terminateApart(refused))]);
    return ids.map((id) => this.#answer(id, failures.get(id)));
  }

  async #terminateTogether(ids: readonly string[]): Promise<Failures> {
    return ids.length === 0 ? new Map() : askInParts(ids, (part) => this.#terminate(part));
  }

  /** Some alone, in turn, and the others in one call: that is enough when the reason is gone. */
  async #terminateApart(refused: readonly string[]): Promise<Failures> {
    const some = refused.slice(0, mostCalls(refused.length) - 1);
    const failures = new Map<string, PartFailure>();
    for (const id of some) {
      const [failure] = (await askInParts([id], (part) => this.#terminate(part))).values();
      if (failure !== undefined) failures.set(id, failure);
      if (failure !== undefined && isEndpointError(failure.error))
        return new Map(refused.map((each) => [each, failures.get(each) ?? { ...failure, isOwn: false }]));
    }
    return new Map([...failures, ...(await this.#terminateTogether(refused.slice(some.length)))]);
  }

  /** What is gone has ended. An error of the endpoint is no refusal. */
  #answer(id: string, failure: PartFailure | undefined): BatchAnswer<void> {
    const isGone = failure?.isOwn === true && isAwsNotFound(failure.error);
    if (failure === undefined || isGone) {
      this.#refusedAt.delete(id);
      return batchAnswer(undefined);
    }
    if (failure.isOwn && !isEndpointError(failure.error)) {
      this.#refusedAt.delete(id);
      this.#refusedAt.set(id, this.#context.clock.now());
    }
    return batchError(failure.error);
  }

  #forgetOld(): void {
    const now = this.#context.clock.now();
    for (const [id, at] of this.#refusedAt) if (now >= at + refusalRememberedMs) this.#refusedAt.delete(id);
  }

  async #terminate(ids: readonly string[]): Promise<void> {
    const { call, clients } = this.#context;
    const tokens = { TerminateInstances: 1, 'terminated instances': ids.length };
    const command = new TerminateInstancesCommand({ InstanceIds: [...ids] });
    await call((options) => clients.ec2.send(command, options), undefined, { tokens });
  }
}
