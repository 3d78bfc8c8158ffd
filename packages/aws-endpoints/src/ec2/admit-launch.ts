import { typeNamed } from '../catalogue/catalogue.ts';
import type { InstanceMarket } from '../catalogue/market.ts';
import type { Faults } from '../faults/faults.ts';
import { launchFails, noCapacity, noFreeAddresses, notOfferedIn, overSpotQuota, overVcpuQuota } from './errors.ts';
import type { LaunchSettings } from './instance.ts';
import type { Instances } from './instances.ts';
import type { Network } from './network.ts';
import { isLimited, quotaOf, vcpusGranted, vcpusInUse, vcpusOf } from './vcpu-limits.ts';

type WantedLaunch = Pick<LaunchSettings, 'instanceType' | 'subnetId' | 'capacityType' | 'reservation'>;
type AdmissionModels = {
  readonly faults: Faults;
  readonly network: Network;
  readonly instances: Instances;
  readonly market: InstanceMarket;
};

/** Whether EC2 would grant one more instance. @throws AwsError when a fault stands in the way */
export function admitLaunch(wanted: WantedLaunch, { faults, network, instances, market }: AdmissionModels): void {
  checkOffered(wanted, { network, market });
  const zone = network.subnets.find(({ id }) => id === wanted.subnetId)?.zone ?? '';
  const place = { instanceType: wanted.instanceType, zone, capacityType: wanted.capacityType };
  const failure = faults.failsLaunch(place);
  if (failure !== undefined) throw launchFails(failure);
  // Reserved capacity is there although other launches find none.
  if (wanted.reservation.target === undefined && faults.lacksCapacity(place)) throw noCapacity(place);
  const isFull = faults.find('no-addresses').some(({ subnet }) => (subnet ?? wanted.subnetId) === wanted.subnetId);
  if (isFull) throw noFreeAddresses(wanted.subnetId);
  admitByQuota(wanted, { faults, instances });
}

/** Refuses a type that the zone of the subnet does not have. */
function checkOffered(
  { instanceType, subnetId }: WantedLaunch,
  { network, market }: Pick<AdmissionModels, 'network' | 'market'>,
): void {
  const zone = network.subnets.find(({ id }) => id === subnetId)?.zone;
  const type = typeNamed(instanceType);
  if (zone === undefined || type === undefined || market.isOffered(type, zone)) return;
  const others = network.zones.map(({ name }) => name).filter((name) => market.isOffered(type, name));
  throw notOfferedIn({ instanceType, zone, others });
}

function admitByQuota(
  wanted: WantedLaunch,
  { faults, instances }: Pick<AdmissionModels, 'faults' | 'instances'>,
): void {
  const quota = quotaOf(wanted);
  if (quota === undefined || !isLimited(quota, faults)) return;
  const vcpus = vcpusGranted(quota, faults);
  if (vcpusInUse(quota, instances.all()) + vcpusOf(wanted.instanceType) <= vcpus) return;
  throw wanted.capacityType === 'spot' ? overSpotQuota() : overVcpuQuota(vcpus);
}
