import {
  awsLabels,
  type EC2NodeClass,
  karpenterLabels,
  kubernetesLabels,
  nodewrightAnnotations,
  oncePerObject,
  outOfCapacityOn,
  shareObject,
  type StatusAmi,
} from '@nodewright/apis';
import type { InstanceType, Shortage } from '@nodewright/engine';
import { allowsValue, parseRequirements, type Requirements, selectBootImage } from '@nodewright/requirements';
import { CloudError, type FoundPlacementGroup, type FoundReservation, type SoldInstanceType } from '@nodewright/ports';
import type { ReservationLookup } from '../../found/capacity-reservations/capacity-reservations.ts';
import type { AwsContext } from '../../context.ts';
import type { UnavailableOfferings } from '../unavailable-offerings.ts';
import type { Prices, Pricing } from '../prices/pricing.ts';
import type { PlacementGroupLookup } from '../../found/placement-groups/placement-groups.ts';
import { findMissingInterface } from './missing-interface.ts';
import { attachLimitsOfType } from './attach-limits.ts';
import { bytesPerMib, capacityOf } from './capacity.ts';
import type { Catalogue, SoldType } from './catalogue.ts';
import { adaptersOnFirstCard } from '../../node-settings/fabric-adapters.ts';
import type { KubeletExpressions } from '../../node-settings/kubelet-expressions.ts';
import { amiFamilyOfNodeClass, hasKubeletExpressions, isWindowsFamily } from '../../node-settings/kubelet-settings.ts';
import { architectureOfType, typeLabels } from './labels.ts';
import { capacityTypesOfType, describeSoldType, offeringsOf, partitionsOf } from './offerings.ts';
import { expressionComplaint, kubeletOfType } from './node-kubelet.ts';
import type { ObservedMemories } from './observed-memory.ts';
import { allocatableOf } from './overhead.ts';
import { requirementsFrom, sharedRequirements } from './label-requirements.ts';

export type InstanceTypesDeps = {
  readonly context: AwsContext;
  readonly catalogue: Catalogue;
  readonly pricing: Pricing;
  readonly unavailable: UnavailableOfferings;
  readonly reservations: ReservationLookup;
  readonly memories: ObservedMemories;
  readonly placementGroups: Pick<PlacementGroupLookup, 'lastFound'>;
  readonly vmMemoryOverheadPercent: number;
  readonly reservedInterfaces: number;
  /** Absent where the gate `NodeClassCEL` is off. */
  readonly expressions?: KubeletExpressions | undefined;
};

/** What all lists are made from. Types and prices are other objects when they were asked again. */
type MarketState = { readonly types: readonly SoldType[]; readonly prices: Prices; readonly changes: string };

/** What EC2 sells, as a NodeClass would make nodes of it. */
export class InstanceTypes {
  readonly #deps: InstanceTypesDeps;
  /** By what a NodeClass adds, as long as what is sold stays as it is. */
  #lists = new Map<string, readonly InstanceType[]>();
  #market: MarketState | undefined;
  /** By NodeClass: the text of what it is known to be out of. */
  readonly #learned = new Map<string, string>();

  constructor(deps: InstanceTypesDeps) {
    this.#deps = deps;
  }

  /** By name. The same list, to the object, as long as nothing changed that it depends on. */
  async list(nodeClass: EC2NodeClass, signal: AbortSignal): Promise<readonly InstanceType[]> {
    const { catalogue, pricing, unavailable, reservations, memories, placementGroups } = this.#deps;
    if ((nodeClass.status?.subnets ?? []).length === 0) throw noSubnets(nodeClass);
    const [types, prices, reserved, placementGroup] = await Promise.all([
      catalogue.types(signal),
      pricing.current(signal),
      reservations.find(nodeClass, signal),
      placementGroups.lastFound(nodeClass, signal),
    ]);
    this.#learnFrom(nodeClass, placementGroup);
    this.#forgetOtherMarkets({
      types,
      prices,
      changes: `${unavailable.version()} ${reservations.version()} ${memories.version()}`,
    });
    const key = this.#keyOf(nodeClass, reserved, placementGroup);
    const known = this.#lists.get(key);
    if (known !== undefined) return known;
    const byType = reservationsByType(reserved);
    const requirementsOf = sharedRequirements();
    const list = types.map((type) =>
      this.#instanceType(type, {
        nodeClass,
        prices,
        placementGroup,
        requirementsOf,
        reservations: byType.get(type.name) ?? noReservations,
      }),
    );
    this.#lists.set(key, shareObject(list));
    return list;
  }

  /** By name. Types that EC2 does not sell are left out. */
  async named(names: readonly string[], signal: AbortSignal): Promise<readonly SoldInstanceType[]> {
    const { catalogue, pricing, unavailable } = this.#deps;
    const [types, prices] = await Promise.all([catalogue.types(signal), pricing.current(signal)]);
    const asked = new Set(names);
    return types.filter(({ name }) => asked.has(name)).map((type) => describeSoldType(type, { prices, unavailable }));
  }

  /** `spec.kubelet` as nodes of the type get it, with its expressions evaluated. `maxPods` is in the type's capacity. */
  async kubeletOf(
    nodeClass: EC2NodeClass,
    typeName: string,
    signal: AbortSignal,
  ): Promise<Readonly<Record<string, unknown>>> {
    const { maxPods, ...others } = nodeClass.spec.kubelet ?? {};
    const written = typeof maxPods === 'string' ? others : (nodeClass.spec.kubelet ?? {});
    if (!hasKubeletExpressions(nodeClass.spec.kubelet ?? {})) return written;
    const type = (await this.#deps.catalogue.types(signal)).find(({ name }) => name === typeName);
    if (type === undefined) return written;
    const { kubeReserved, systemReserved } = kubeletOfType(type.info, nodeClass, this.#kubeletSettings(nodeClass));
    const { kubeReserved: _kube, systemReserved: _system, ...rest } = written;
    const reserved = Object.entries({ kubeReserved, systemReserved });
    return { ...rest, ...Object.fromEntries(reserved.filter(([, map]) => Object.keys(map).length > 0)) };
  }

  /** Why an expression of `spec.kubelet` gives nothing of use for a type that EC2 sells, the first by name. */
  async expressionComplaint(nodeClass: EC2NodeClass, signal: AbortSignal): Promise<string | undefined> {
    const { expressions } = this.#deps;
    if (expressions === undefined || !hasKubeletExpressions(nodeClass.spec.kubelet ?? {})) return undefined;
    const settings = { ...this.#kubeletSettings(nodeClass), expressions };
    for (const { info } of await this.#deps.catalogue.types(signal)) {
      const complaint = expressionComplaint(info, nodeClass, settings);
      if (complaint !== undefined) return complaint;
    }
    return undefined;
  }

  #kubeletSettings(nodeClass: EC2NodeClass) {
    const { reservedInterfaces, expressions } = this.#deps;
    return {
      family: amiFamilyOfNodeClass(nodeClass),
      reservedInterfaces: reservedInterfaces + adaptersOnFirstCard(nodeClass),
      expressions,
    };
  }

  /** What is written on the class, when it is other than last time. */
  #learnFrom(nodeClass: EC2NodeClass, placementGroup: FoundPlacementGroup | undefined): void {
    const { name, annotations } = nodeClass.metadata;
    const text = annotations?.[nodewrightAnnotations.outOfCapacity];
    if (this.#learned.get(name) === text) return;
    this.#deps.unavailable.learn(outOfCapacityOn(nodeClass), placementGroup?.id);
    if (text === undefined) this.#learned.delete(name);
    else this.#learned.set(name, text);
  }

  #forgetOtherMarkets(now: MarketState): void {
    const { types, prices, changes } = this.#market ?? {};
    if (types === now.types && prices === now.prices && changes === now.changes) return;
    this.#market = now;
    this.#lists = new Map();
  }

  /** All that the answer depends on, besides what is sold and for how much. */
  #keyOf(
    nodeClass: EC2NodeClass,
    reserved: readonly FoundReservation[],
    placementGroup: FoundPlacementGroup | undefined,
  ): string {
    // Which image a type boots from matters once memory was seen.
    const ofClass = this.#deps.memories.version() === 0 ? keyOfClass(nodeClass) : keyOfClassWithImages(nodeClass);
    return `${ofClass} ${JSON.stringify([reserved, placementGroup])}`;
  }

  #instanceType(type: SoldType, market: MarketOfType): InstanceType {
    const { context, unavailable, vmMemoryOverheadPercent } = this.#deps;
    const { nodeClass } = market;
    const settings = this.#kubeletSettings(nodeClass);
    const { family } = settings;
    const kubelet = kubeletOfType(type.info, nodeClass, settings);
    const computed = capacityOf(type.info, nodeClass, { ...settings, kubelet, vmMemoryOverheadPercent });
    const requirements = requirementsOfType(type, market, context.region);
    const capacity = { ...computed, ...this.#seenMemory(type, requirements, nodeClass) };
    return {
      name: type.name,
      requirements,
      offerings: offeringsOf(type, {
        ...market,
        unavailable,
        incompatibility: findIncompatibility(type, market) ?? findMissingImage(type, requirements, nodeClass),
        remainingIn: (id) => this.#deps.reservations.remainingIn(id),
      }),
      capacity,
      attachLimits: attachLimitsOfType(type.info, nodeClass, family),
      allocatable: allocatableOf({ info: type.info, capacity, computed, kubelet, family }),
    };
  }

  /** What nodes of the type had that booted from the image that it would boot from now. */
  #seenMemory({ name, info }: SoldType, requirements: Requirements, { status }: EC2NodeClass): { memory?: number } {
    const image = selectBootImage({ requirements }, status?.amis ?? []);
    if (image === undefined) return {};
    const nominalBytes = (info.MemoryInfo?.SizeInMiB ?? 0) * bytesPerMib;
    const memory = this.#deps.memories.find({ instanceType: name, imageId: image.id }, nominalBytes);
    return memory === undefined ? {} : { memory };
  }
}

const keyOfClass = oncePerObject((nodeClass: EC2NodeClass): string =>
  inputsOfClass(nodeClass, imageRequirementTexts(nodeClass.status?.amis)),
);

const keyOfClassWithImages = oncePerObject((nodeClass: EC2NodeClass): string =>
  inputsOfClass(nodeClass, nodeClass.status?.amis ?? []),
);

/** What a NodeClass says that types depend on. */
function inputsOfClass({ spec, status }: EC2NodeClass, images: readonly unknown[]): string {
  const { kubelet, blockDeviceMappings, instanceStorePolicy, networkInterfaces, amiFamily, amiSelectorTerms } = spec;
  const { connectionTracking } = spec;
  const alias = amiSelectorTerms.find((term) => term.alias !== undefined)?.alias;
  const inputs = {
    kubelet,
    blockDeviceMappings,
    instanceStorePolicy,
    networkInterfaces,
    connectionTracking,
    amiFamily,
    alias,
  };
  return JSON.stringify([inputs, status?.subnets, images]);
}

type MarketOfType = {
  readonly nodeClass: EC2NodeClass;
  readonly prices: Prices;
  readonly placementGroup: FoundPlacementGroup | undefined;
  readonly reservations: readonly FoundReservation[];
  readonly requirementsOf: ReturnType<typeof sharedRequirements>;
};

const noReservations: readonly FoundReservation[] = [];

function reservationsByType(reserved: readonly FoundReservation[]): ReadonlyMap<string, readonly FoundReservation[]> {
  const byType = new Map<string, FoundReservation[]>();
  for (const each of reserved) byType.set(each.instanceType, [...(byType.get(each.instanceType) ?? []), each]);
  return byType;
}

function requirementsOfType(
  type: SoldType,
  { nodeClass, placementGroup, reservations }: MarketOfType,
  region: string,
): Requirements {
  const subnets = (nodeClass.status?.subnets ?? []).filter(({ zone }) => type.zones.includes(zone));
  const zoneIds = subnets.flatMap(({ zoneID }) => zoneID ?? []);
  return requirementsFrom([
    ...typeLabels(type.info),
    [kubernetesLabels.os, osOf(type, nodeClass)],
    [kubernetesLabels.windowsBuild, windowsBuildOf(type, nodeClass)],
    [kubernetesLabels.region, [region]],
    [kubernetesLabels.zone, [...new Set(subnets.map(({ zone }) => zone))]],
    ...(zoneIds.length === 0 ? [] : [[kubernetesLabels.zoneId, [...new Set(zoneIds)]] as const]),
    [karpenterLabels.capacityType, capacityTypesOfType(type, reservations)],
    ...(reservations.length === 0 ? [] : reservationLabelsOfType(reservations)),
    ...(placementGroup === undefined ? [] : placementLabels(placementGroup)),
  ]);
}

const reservationLabelsOfType = (reservations: readonly FoundReservation[]) =>
  [
    [awsLabels.capacityReservationId, reservations.map(({ id }) => id)],
    [awsLabels.capacityReservationType, [...new Set(reservations.map(({ type }) => type))]],
    [
      awsLabels.capacityReservationInterruptible,
      [...new Set(reservations.map(({ interruptible }) => String(interruptible)))],
    ],
  ] as const;

const placementLabels = (group: FoundPlacementGroup) =>
  [
    [awsLabels.placementGroupId, [group.id]],
    [awsLabels.placementGroupPartition, partitionsOf(group)],
  ] as const;

function osOf({ info }: SoldType, nodeClass: EC2NodeClass): readonly string[] {
  if (!isWindowsFamily(amiFamilyOfNodeClass(nodeClass))) return ['linux'];
  return architectureOfType(info) === 'amd64' ? ['windows'] : [];
}

const windowsBuildLabels: Readonly<Record<string, string>> = {
  Windows2019: '10.0.17763',
  Windows2022: '10.0.20348',
  Windows2025: '10.0.26100',
};

function windowsBuildOf(type: SoldType, nodeClass: EC2NodeClass): readonly string[] {
  const build = windowsBuildLabels[amiFamilyOfNodeClass(nodeClass)];
  return build === undefined || osOf(type, nodeClass).length === 0 ? [] : [build];
}

/** Types that the NodeClass cannot make nodes of stay in the list, with nothing to buy. */
function findIncompatibility(
  { name, info }: SoldType,
  { nodeClass, placementGroup }: MarketOfType,
): Shortage | undefined {
  const strategy = placementGroup?.strategy;
  if (strategy !== undefined && info.PlacementGroupInfo?.SupportedStrategies?.includes(strategy) !== true)
    return { cause: `the type has no place in ${strategy} placement groups` };
  if (amiFamilyOfNodeClass(nodeClass) === 'AL2023' && name.startsWith('a1.'))
    return { cause: 'AL2023 does not run on a1 types' };
  if (nodeClass.spec.connectionTracking !== undefined && info.Hypervisor !== 'nitro')
    return { cause: 'connectionTracking needs types of the nitro hypervisor' };
  return findMissingInterface(info, nodeClass.spec.networkInterfaces ?? []);
}

/** The shortage of a type that no selected image is for. Without any selected image there is no launch, and no shortage. */
function findMissingImage(
  { info }: SoldType,
  requirements: Requirements,
  nodeClass: EC2NodeClass,
): Shortage | undefined {
  const amis = nodeClass.status?.amis ?? [];
  if (amis.length === 0 || selectBootImage({ requirements }, amis) !== undefined) return undefined;
  const architecture = architectureOfType(info);
  const isForSome = amis.some((ami) => {
    const asked = parseRequirements(ami.requirements).get(kubernetesLabels.arch);
    return asked !== undefined && allowsValue(asked, architecture);
  });
  const cause = isForSome
    ? `the selected images for ${architecture} are for other types`
    : `no selected image is for ${architecture}`;
  return { cause, fix: 'select one in amiSelectorTerms of the EC2NodeClass' };
}

/** What decides which types have an image: a newer image for the same types changes nothing. */
const imageRequirementTexts = (amis: readonly StatusAmi[] = []): readonly string[] =>
  [...new Set(amis.map(({ requirements }) => JSON.stringify(requirements)))].toSorted();

const noSubnets = ({ metadata }: EC2NodeClass): CloudError =>
  new CloudError(`EC2NodeClass ${metadata.name} has no subnets yet`, { code: 'SubnetsNotResolved', retry: 'backOff' });
