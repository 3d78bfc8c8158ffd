import { derivedId } from './derived-ids.ts';
import type { Ec2Instance } from './instance.ts';
import { type LaunchedDisk, usualIops } from './launched-disks.ts';

/** A volume of an instance. */
export type InstanceVolume = LaunchedDisk & { readonly volumeId: string };

/** Lists the volumes of an instance, the root volume first. */
export function volumesOf({ root, settings }: Pick<Ec2Instance, 'root' | 'settings'>): readonly InstanceVolume[] {
  const { disks = [rootDiskOf(root)] } = settings;
  return disks.map((disk, at) => ({
    ...disk,
    volumeId: at === 0 ? root.volumeId : derivedId('vol', root.volumeId, at),
  }));
}

function rootDiskOf({ deviceName: device, sizeGib }: Ec2Instance['root']): LaunchedDisk {
  const iops = usualIops('gp2', sizeGib);
  return { device, sizeGib, type: 'gp2', encrypted: false, deleteOnTermination: true, ...(iops && { iops }) };
}
