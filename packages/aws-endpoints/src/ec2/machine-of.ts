import { type CatalogueType, maxPodsOf } from '../catalogue/instance-type.ts';
import { typeNamed } from '../catalogue/catalogue.ts';
import type { BootedMachine, MachineBehavior, MachineShape } from '../machine.ts';
import type { ImageRelease } from '../releases/release.ts';
import type { ImageModel } from './images.ts';
import { findPanic } from './kernel-panic.ts';
import { interfacesOfInstance } from './launched-interfaces.ts';
import type { Ec2Instance, LaunchSettings } from './instance.ts';

/** The instance as its kubelet will see it. */
export function machineOf(
  instance: Ec2Instance,
  { images, region }: { images: ImageModel; region: string },
): BootedMachine {
  const userData = Buffer.from(instance.settings.userData ?? '', 'base64').toString('utf8');
  const panicsAt = findPanic(instance);
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
    behaviors: listBehaviors(instance, release),
    shape: machineShapeOf(instance.settings),
    volumeGib: instance.settings.rootVolumeGib,
    userData,
    launchedAt: instance.launchedAt,
    ...(panicsAt !== undefined && { panicsAt }),
    ...(instance.reports !== undefined && { reports: instance.reports }),
  };
}

/** What the image does, and then what faults did when the instance was launched. */
export function listBehaviors(
  { behavior, behaviors = [] }: Pick<Ec2Instance, 'behavior' | 'behaviors'>,
  release: Pick<ImageRelease, 'behavior'> | undefined,
): readonly MachineBehavior[] {
  const ofImage = behavior ?? release?.behavior;
  return [...(ofImage === undefined ? [] : [{ behavior: ofImage }]), ...behaviors];
}

function machineShapeOf(settings: LaunchSettings): MachineShape {
  const { instanceType } = settings;
  const type = typeNamed(instanceType);
  if (type === undefined) throw new Error(`an instance of the unknown type ${instanceType} was launched`);
  const { vcpus, memoryMib, arch, branchInterfaces } = type;
  const adapters = interfacesOfInstance(settings).filter((each) => each.type !== 'interface').length;
  const devices = { ...devicesOf(type), ...(adapters > 0 && { 'vpc.amazonaws.com/efa': adapters }) };
  return {
    instanceType,
    vcpus,
    memoryMib,
    arch,
    maxPods: maxPodsOf(type),
    branchInterfaces,
    volumes: countVolumes(type),
    ...(type.localNvmeGb !== undefined && { instanceStoreGb: type.localNvmeGb }),
    ...(Object.keys(devices).length > 0 && { devices }),
  };
}

/** Nitro instances share 28 places among volumes, interfaces and local disks; the node's own volume has one, too. */
const countVolumes = ({ hypervisor, localNvmeGb }: CatalogueType): number =>
  hypervisor === 'nitro' ? 26 - (localNvmeGb === undefined ? 0 : 1) : 38;

/** What the device plugins of a healthy image announce. */
function devicesOf({ gpu, neuron }: CatalogueType): MachineShape['devices'] {
  if (gpu !== undefined) return { 'nvidia.com/gpu': gpu.count };
  if (neuron === undefined) return undefined;
  return { 'aws.amazon.com/neuron': neuron.count, 'aws.amazon.com/neuroncore': neuron.count * neuron.coresEach };
}
