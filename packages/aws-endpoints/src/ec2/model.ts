import type { Clock, Random, Ledger } from '@nodewright/runtime';
import type { MachineListener } from '../machine.ts';
import type { ReleaseStore } from '../releases/release-store.ts';
import type { AwsAccount } from '../account.ts';
import { type CatalogueName, createMarket, type InstanceMarket } from '../catalogue/market.ts';
import type { Faults } from '../faults/faults.ts';
import { CapacityReservationModel } from './capacity-reservations.ts';
import { Idempotency } from './idempotency.ts';
import { type ForeignImage, ImageModel } from './images.ts';
import type { InstanceState } from './instance.ts';
import { Instances } from './instances.ts';
import { findSnapshot } from './known-snapshots.ts';
import { KeyPairs } from './key-pairs.ts';
import type { LaunchSurroundings } from './launch-settings.ts';
import { LaunchTemplateModel } from './launch-templates.ts';
import { machineOf } from './machine-of.ts';
import { layDefaultNetwork, layNetwork, type Network } from './network.ts';
import { PlacementGroupModel } from './placement-groups.ts';
import { type KeptPrefixList, prefixListsIn } from './prefix-lists.ts';
import { OwnImages } from './own-images.ts';
import { type OwnInterface, OwnInterfaces } from './own-interfaces.ts';
import { OwnSnapshots } from './own-snapshots.ts';
import { OwnVolumes } from './own-volumes.ts';
import { listStayingInterfaces } from './staying-interfaces.ts';
import { readRouting } from './read-routing.ts';
import { TagBook } from './tags.ts';
import { volumesOf } from './volumes-of.ts';

export type Ec2Options = {
  readonly clock: Clock;
  readonly random: Random;
  readonly account: AwsAccount;
  /** Absent where no cluster is: there is a default VPC then. */
  readonly clusterName?: string;
  readonly zones: readonly string[];
  readonly releases: ReleaseStore;
  readonly faults: Faults;
  readonly machines: MachineListener;
  /** Called with every state that an instance reaches. */
  readonly came: (instanceId: string, state: InstanceState) => void;
  readonly profileArn: (name: string) => string | undefined;
  readonly ledger: Ledger;
  /** Which instance types lists have, and how their prices behave [small]. */
  readonly catalogue?: CatalogueName;
  /** In place of a catalogue. */
  readonly market?: InstanceMarket;
  /** Images that other accounts registered in this region, shared or not [none]. */
  readonly imagesOfOthers?: () => readonly ForeignImage[];
  /** The EC2 of the same account in another region. */
  readonly inRegion: (region: string) => Ec2;
  /** The control plane's minor. */
  readonly kubernetesVersion: () => string;
  /** The clock by which clients outside this process say now [`clock`]. */
  readonly signersClock?: Pick<Clock, 'now'>;
  /** The value of a parameter of the Parameter Store. */
  readonly parameter: (name: string) => string | undefined;
};

/** The state of EC2: the network of the cluster, images, templates and instances, and their tags. */
export type Ec2 = {
  readonly account: AwsAccount;
  readonly clock: Clock;
  readonly signersClock: Pick<Clock, 'now'>;
  readonly random: Random;
  readonly faults: Faults;
  readonly market: InstanceMarket;
  readonly network: Network;
  /** After a change of the network. */
  readonly keepNetwork: () => void;
  readonly tags: TagBook;
  readonly images: ImageModel;
  readonly templates: LaunchTemplateModel;
  readonly keyPairs: KeyPairs;
  readonly instances: Instances;
  readonly reservations: CapacityReservationModel;
  readonly placementGroups: PlacementGroupModel;
  readonly interfaces: OwnInterfaces;
  readonly volumes: OwnVolumes;
  readonly snapshots: OwnSnapshots;
  /** Those of the account, by id. */
  readonly prefixLists: Map<string, KeptPrefixList>;
  readonly idempotency: Idempotency;
  readonly profileArn: (name: string) => string | undefined;
  /** The EC2 of the same account in a region. @throws for a region that there is not */
  readonly inRegion: (region: string) => Ec2;
  /** What a launch now may refer to. */
  readonly surroundings: () => LaunchSurroundings;
};

export function createEc2({ clock, account, releases, machines, ledger, ...options }: Ec2Options): Ec2 {
  const random = options.random.fork('ec2');
  const tags = new TagBook(ledger);
  const network = keptNetwork(ledger, () =>
    layNetworkOf({ ...options, region: account.region }, { random: random.fork('network'), tags }),
  );
  const own = new OwnImages(random.fork('images'), ledger);
  const images = new ImageModel({
    releases,
    own,
    accountId: account.id,
    minor: options.kubernetesVersion,
    imagesOfOthers: options.imagesOfOthers ?? (() => []),
  });
  const templates = new LaunchTemplateModel({ clock, random: random.fork('templates'), tags, ledger });
  const keyPairs = new KeyPairs({ clock, random: random.fork('key-pairs'), tags, ledger });
  const reservations = new CapacityReservationModel({
    clock,
    random: random.fork('capacity-reservations'),
    tags,
    ledger,
  });
  const placementGroups = new PlacementGroupModel({ random: random.fork('placement-groups'), tags, ledger });
  const interfaces = new OwnInterfaces({ tags, ledger });
  const volumes = new OwnVolumes({ tags, ledger });
  const snapshots = new OwnSnapshots({ tags, random: random.fork('snapshots'), ledger });
  const instances = new Instances({
    clock,
    random: random.fork('instances'),
    region: account.region,
    network,
    tags,
    reservations,
    placementGroups,
    ledger,
    machines,
    machineOf: (instance) => machineOf(instance, { images, region: account.region }),
    behaviorsOf: (launched) => options.faults.behaviorsOf(launched),
    describesLagMs: () => options.faults.describesLagMs(),
    came: (id, state) => {
      if (state === 'terminated') {
        leaveInterfaces(id, { instances, interfaces });
        leaveVolumes(id, { instances, volumes });
      }
      options.came(id, state);
    },
  });
  for (const gateway of readRouting(network).natGateways)
    if (gateway.deletedAt === undefined && !isCountedAmongOthers(gateway, network))
      instances.takeAddress(gateway.subnetId, gateway.privateIp);
  for (const { subnetId, privateIps } of interfaces.all())
    for (const privateIp of privateIps) instances.takeAddress(subnetId, privateIp);
  const { profileArn, parameter } = options;
  const surroundings = (): LaunchSurroundings => ({
    network,
    images,
    keyPairs,
    placementGroups,
    profileArn,
    parameter,
    snapshot: (id) => findSnapshot({ images, snapshots }, id, clock.now()),
    now: clock.now(),
  });
  const idempotency = new Idempotency(ledger);
  const ec2: Ec2 = {
    account,
    clock,
    signersClock: options.signersClock ?? clock,
    random,
    faults: options.faults,
    market: options.market ?? createMarket(options.catalogue ?? 'small'),
    network,
    keepNetwork: () => void ledger.map<Network>('ec2/network').set('vpc', network),
    tags,
    images,
    templates,
    keyPairs,
    instances,
    reservations,
    placementGroups,
    interfaces,
    volumes,
    snapshots,
    prefixLists: prefixListsIn(ledger),
    idempotency,
    profileArn,
    inRegion: (region) => (region === account.region ? ec2 : options.inRegion(region)),
    surroundings,
  };
  return ec2;
}

/** The gateway that comes with a network is one of those that a snapshot of a subnet has counted already. */
const isCountedAmongOthers = ({ subnetId }: { readonly subnetId: string }, { routing, subnets }: Network): boolean =>
  routing === undefined && subnets.find(({ id }) => id === subnetId)?.takenByOthers !== undefined;

type LeftInterfaces = { readonly instances: Instances; readonly interfaces: OwnInterfaces };

/** Some interfaces of an instance that has ended are still there, others free their addresses. */
function leaveInterfaces(id: string, { instances, interfaces }: LeftInterfaces): void {
  releaseAddresses(instances, interfaces.leaveInstance(id));
  const ended = instances.get(id);
  for (const stays of ended === undefined ? [] : listStayingInterfaces(ended)) {
    interfaces.keep(stays);
    for (const address of stays.privateIps) instances.takeAddress(stays.subnetId, address);
  }
}

/** Volumes that do not end with their instance are there without one. */
function leaveVolumes(id: string, { instances, volumes }: { instances: Instances; volumes: OwnVolumes }): void {
  volumes.leaveInstance(id);
  const ended = instances.get(id);
  if (ended === undefined) return;
  for (const volume of volumesOf(ended))
    if (volume.deleteOnTermination) volumes.changes.delete(volume.volumeId);
    else volumes.keepLeft(ended, volume);
}

function releaseAddresses(instances: Instances, interfaces: readonly OwnInterface[]): void {
  for (const { subnetId, privateIps } of interfaces)
    for (const privateIp of privateIps) instances.releaseAddress(subnetId, privateIp);
}

function layNetworkOf(
  { clusterName, ...place }: Pick<Ec2Options, 'clusterName' | 'zones'> & { readonly region: string },
  sources: { readonly random: Random; readonly tags: TagBook },
): Network {
  return clusterName === undefined ? layDefaultNetwork(place, sources) : layNetwork({ ...place, clusterName }, sources);
}

/** Returns the network of the account, which is created once: subnets and groups keep their ids. */
function keptNetwork(ledger: Ledger, lay: () => Network): Network {
  const kept = ledger.map<Network>('ec2/network');
  const network = kept.get('vpc') ?? lay();
  if (!kept.has('vpc')) kept.set('vpc', network);
  return network;
}
