import { type CatalogueType, maxPodsOf } from '../catalogue/instance-type.ts';
import { typeNamed } from '../catalogue/catalogue.ts';
import type { Machine, MachineShape } from '../machine.ts';
import type { Images } from './images.ts';
import type { Instance } from './instance.ts';

/** The instance as its kubelet will see it. */
export function machineOf(instance: Instance, { images, region }: { images: Images; region: string }): Machine {
  const userData = Buffer.from(instance.settings.userData ?? '', 'base64').toString('utf8');
  const release = images.buildOf(instance.settings.imageId, userData);
  return {
    instanceId: instance.id,
    providerId: `aws:///${instance.zone}/${instance.id}`,
    zone: instance.zone,
    zoneId: instance.zoneId,
    region,
    privateIp: instance.privateIp,
    privateDnsName: instance.privateDnsName,
    imageId: instance.settings.imageId,
    ...(release !== undefined && { release }),
    behavior: instance.behavior ?? release?.behavior ?? 'healthy',
    shape: shapeOf(instance.settings.instanceType),
    volumeGib: instance.settings.rootVolumeGib,
    userData,
    launchedAt: instance.launchedAt,
  };
}

function shapeOf(instanceType: string): MachineShape {
  const type = typeNamed(instanceType);
  if (type === undefined) throw new Error(`an instance of the unknown type ${instanceType} was launched`);
  const { vcpus, memoryMib, arch, branchInterfaces } = type;
  const devices = devicesOf(type);
  return {
    instanceType,
    vcpus,
    memoryMib,
    arch,
    maxPods: maxPodsOf(type),
    branchInterfaces,
    volumes: volumesOf(type),
    ...(devices && { devices }),
  };
}

/** Nitro instances share 28 places among volumes, interfaces and local disks; the node's own volume has one, too. */
const volumesOf = ({ hypervisor, localNvmeGb }: CatalogueType): number =>
  hypervisor === 'nitro' ? 26 - (localNvmeGb === undefined ? 0 : 1) : 38;

/** What the device plugins of a healthy image announce. */
function devicesOf({ gpu, neuron }: CatalogueType): MachineShape['devices'] {
  if (gpu !== undefined) return { 'nvidia.com/gpu': gpu.count };
  if (neuron === undefined) return undefined;
  return { 'aws.amazon.com/neuron': neuron.count, 'aws.amazon.com/neuroncore': neuron.count * neuron.coresEach };
}
