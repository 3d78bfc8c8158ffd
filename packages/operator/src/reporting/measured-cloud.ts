import type { Cloud, LaunchOutcome } from '@nodewright/ports';
import { durationBuckets, type Clock, type Metrics } from '@nodewright/runtime';

const provider = 'aws';

/** How a call ended, under the names of Karpenter's errors; `undefined` when it is no error. */
type AnswerJudge<T> = (answer: T) => string | undefined;

type Measure = <T>(method: string, call: Promise<T>, judge?: AnswerJudge<T>) => Promise<T>;

/** The calls of one controller to the cloud, measured and counted under the names that Karpenter gives them. */
export function measuredCloud(cloud: Cloud, controller: string, deps: { metrics: Metrics; clock: Clock }): Cloud {
  const measure = measureOf(controller, deps);
  const { instances, instanceTypes } = cloud;
  return {
    ...cloud,
    instances: {
      launch: (request, signal) => measure('Create', instances.launch(request, signal), launchError),
      get: (id, signal) =>
        measure('Get', instances.get(id, signal), (found) => (found ? undefined : claimNotFoundError)),
      lastSeen: (id, signal) =>
        measure('Get', instances.lastSeen(id, signal), (found) => (found ? undefined : claimNotFoundError)),
      checkPresence: (id, signal) =>
        measure('Get', instances.checkPresence(id, signal), (found) =>
          found === 'present' ? undefined : claimNotFoundError,
        ),
      list: (signal) => measure('List', instances.list(signal)),
      terminate: (id, signal) =>
        measure('Delete', instances.terminate(id, signal), (end) => (end === 'gone' ? claimNotFoundError : undefined)),
      tag: (id, tags, signal) => instances.tag(id, tags, signal),
    },
    instanceTypes: {
      list: (nodeClass, signal) => measure('GetInstanceTypes', instanceTypes.list(nodeClass, signal)),
      named: (names, signal) => instanceTypes.named(names, signal),
    },
  };
}

const claimNotFoundError = 'NodeClaimNotFoundError';

function launchError({ kind }: LaunchOutcome): string | undefined {
  switch (kind) {
    case 'launched':
      return undefined;
    case 'insufficientCapacity':
      return 'InsufficientCapacityError';
    case 'nodeClassNotReady':
      return 'NodeClassNotReadyError';
    case 'refused':
      return '';
  }
}

function measureOf(controller: string, { metrics, clock }: { metrics: Metrics; clock: Clock }): Measure {
  const labels = ['controller', 'method', 'provider'] as const;
  const durations = metrics.histogram({
    name: 'karpenter_cloudprovider_duration_seconds',
    help: 'How long calls to the cloud take',
    labels,
    buckets: durationBuckets,
  });
  const errors = metrics.counter({
    name: 'karpenter_cloudprovider_errors_total',
    help: 'Calls to the cloud that did not bring what was asked for',
    labels: [...labels, 'error'] as const,
  });
  return (method, call, judge) => {
    const series = { controller, method, provider };
    const begun = clock.now();
    const ended = (error: string | undefined): void => {
      if (error !== undefined) errors.add({ ...series, error });
      durations.observe(series, (clock.now() - begun) / 1_000);
    };
    void call.then(
      (answer) => ended(judge?.(answer)),
      () => ended(''),
    );
    // The call itself: who measures must not delay.
    return call;
  };
}
