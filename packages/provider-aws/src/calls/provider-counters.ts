import { durationBuckets, type Metrics } from '@nodewright/runtime';

/** Where a launch or an end failed. What is not known is empty. */
type FailedPlace = { readonly zone: string; readonly zoneId: string };

/** A launch that EC2 did not grant in one of its places. */
export type DeniedLaunch = FailedPlace & {
  readonly capacityType: string;
  /** The code of EC2. */
  readonly reason: string;
};

/** What the provider counts, under the names of Karpenter. */
export type ProviderCounters = {
  /** A batch of equal calls that went out as one. */
  readonly batchSent: (batcher: string, batch: { readonly size: number; readonly seconds: number }) => void;
  readonly launchFailed: (failed: DeniedLaunch) => void;
  readonly terminationFailed: (place: FailedPlace) => void;
  /** A launch template of an EC2NodeClass was made with so much user data. */
  readonly userDataSized: (nodeClass: string, bytes: number) => void;
  /** An EC2NodeClass is gone, with what was told of it. */
  readonly nodeClassGone: (nodeClass: string) => void;
};

/** Sizes up to the ids that EC2 takes in one call. */
const sizeBuckets = [1, 2, 4, 5, 10, 15, 20, 25, 30, 40, 50, 75, 100, 125, 150, 175, 200, 300, 400, 500];

export function createProviderCounters(metrics: Metrics): ProviderCounters {
  const labels = ['batcher'] as const;
  const times = metrics.histogram({
    name: 'karpenter_cloudprovider_batcher_batch_time_seconds',
    help: 'From the first call of a batch to the call that is made for all of them',
    labels,
    buckets: durationBuckets,
  });
  const sizes = metrics.histogram({
    name: 'karpenter_cloudprovider_batcher_batch_size',
    help: 'How many calls a batch has joined',
    labels,
    buckets: sizeBuckets,
  });
  const launches = metrics.counter({
    name: 'karpenter_cloudprovider_instance_launch_failures_total',
    help: 'Launches that EC2 did not grant, by place and by the code of EC2',
    labels: ['zone', 'zone_id', 'capacity_type', 'reason'],
  });
  const terminations = metrics.counter({
    name: 'karpenter_cloudprovider_instance_termination_failures_total',
    help: 'Instances that EC2 did not end when it was asked to',
    labels: ['zone', 'zone_id'],
  });
  const userData = metrics.gauge({
    name: 'karpenter_ec2nodeclasses_userdata_bytes',
    help: 'User data of the last launch template of an EC2NodeClass; EC2 takes 16384 bytes',
    labels: ['nodeclass'],
  });
  return {
    batchSent: (batcher, { size, seconds }) => {
      sizes.observe({ batcher }, size);
      times.observe({ batcher }, seconds);
    },
    launchFailed: ({ zone, zoneId, capacityType, reason }) =>
      launches.add({ zone, zone_id: zoneId, capacity_type: capacityType, reason }),
    terminationFailed: ({ zone, zoneId }) => terminations.add({ zone, zone_id: zoneId }),
    userDataSized: (nodeclass, bytes) => userData.set({ nodeclass }, bytes),
    nodeClassGone: (nodeclass) => userData.remove({ nodeclass }),
  };
}
