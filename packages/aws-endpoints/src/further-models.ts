import type { Clock, Ledger, Random } from '@nodewright/runtime';
import type { AwsAccount } from './account.ts';
import { AutoScaling } from './autoscaling/auto-scaling.ts';
import { createEc2, type Ec2Options } from './ec2/model.ts';
import type { ClusterHost } from './eks/clusters/cluster-host.ts';
import { createEks } from './eks/create-eks.ts';
import { EventBus } from './events/event-bus.ts';
import { instanceEvents } from './events/instance-events.ts';
import type { Faults } from './faults/faults.ts';
import { Experiments } from './fis/experiments.ts';
import type { Iam } from './iam/model.ts';
import type { ReleaseStore } from './releases/release-store.ts';
import type { ServiceModels } from './service-loaders.ts';
import { Queues } from './sqs/queues.ts';
import { findParameter } from './ssm/look-up.ts';
import { OwnParameters } from './ssm/own-parameters.ts';
import { ParameterTags } from './ssm/parameter-tags.ts';
import { PublicParameters } from './ssm/parameters.ts';

/** Where further models are, and what they keep their state in. */
export type PlaceOfModels = {
  readonly account: AwsAccount;
  readonly iam: Iam;
  readonly ledger: Ledger;
  /** Of the random choices: each place has its own. */
  readonly label: string;
};

type FurtherModelsDeps = PlaceOfModels &
  Pick<Ec2Options, 'catalogue' | 'market' | 'imagesOfOthers' | 'inRegion'> &
  Pick<ServiceModels, 'findRole' | 'findUserKey' | 'sessions' | 'readWebIdentity'> & {
    readonly clock: Clock;
    readonly random: Random;
    readonly releases: ReleaseStore;
    readonly faults: Faults;
    /** Runs the clusters that users create there. */
    readonly host: ClusterHost;
    readonly certificateAuthority: () => string;
    /** The minor for which images of the account itself are taken. */
    readonly kubernetesVersion: () => string;
  };

export type FurtherModels = ServiceModels & { readonly resume: () => void };

/** What a region has in which there is no cluster at first: a default VPC, the images and parameters of AWS, and what users create. */
export function createFurtherModels(deps: FurtherModelsDeps): FurtherModels {
  const { account, clock, iam, ledger, faults, releases } = deps;
  const random = deps.random.fork(deps.label);
  const queues = new Queues({ clock, account, ledger, random: random.fork('sqs') });
  const bus = new EventBus({ clock, account, ledger, queues, random: random.fork('events') });
  const publish = (event: Parameters<EventBus['publish']>[0]): void => void bus.publish(event);
  const events = instanceEvents(account);
  const store = {
    clock,
    parameters: new PublicParameters(releases),
    own: new OwnParameters(ledger),
    tags: new ParameterTags(ledger),
  };
  const ec2 = createEc2({
    clock,
    random,
    account,
    zones: ['a', 'b', 'c'].map((letter) => `${account.region}${letter}`),
    releases,
    faults,
    machines: deps.host.machinesAt(account),
    came: (instanceId, state) => publish(events.stateChange(instanceId, state)),
    profileArn: (name) => iam.findProfile(name)?.arn,
    ledger,
    inRegion: deps.inRegion,
    ...(deps.imagesOfOthers && { imagesOfOthers: deps.imagesOfOthers }),
    ...(deps.catalogue && { catalogue: deps.catalogue }),
    ...(deps.market && { market: deps.market }),
    kubernetesVersion: deps.kubernetesVersion,
    parameter: (name) => findParameter(store, name)?.parameter.value,
  });
  const autoScaling = new AutoScaling({
    clock,
    random: random.fork('autoscaling'),
    account,
    ec2,
    ledger,
    queues,
    publish,
  });
  const fis = new Experiments({ clock, random: random.fork('fis'), ledger, ec2, faults });
  const { host, certificateAuthority } = deps;
  const eks = createEks({
    account,
    clock,
    random: random.fork('eks'),
    ledger,
    ec2,
    iam,
    autoScaling,
    releases,
    faults,
    host,
    certificateAuthority,
    nodeSkew: 'strict',
  });
  return {
    ...deps,
    activityRandom: random.fork('activities'),
    ec2,
    autoScaling,
    queues,
    bus,
    fis,
    eks,
    store,
    resume() {
      eks.clusters.reopen();
      ec2.instances.resume();
      eks.clusters.resume();
      autoScaling.resume();
      for (const { name } of eks.clusters.all()) eks.groupsOf(name).resume();
      fis.resume();
    },
  };
}
