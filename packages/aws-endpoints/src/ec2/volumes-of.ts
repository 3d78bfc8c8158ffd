import { readOwn } from '@nodewright/apis';
import { derivedId } from './derived-ids.ts';
import type { Ec2Instance } from './instance.ts';
import { type LaunchedDisk, usualIops } from './launched-disks.ts';

/** A volume of an instance. */
export type InstanceVolume = LaunchedDisk & { readonly volumeId: string };

type InstanceWithVolumes = Pick<Ec2Instance, 'root' | 'settings' | 'changed'>;

/** Lists the volumes that the launch of an instance made and that are still on it, the root volume first. */
export function volumesOf({ root, settings, changed = {} }: InstanceWithVolumes): readonly InstanceVolume[] {
  const { disks = [rootDiskOf(root)] } = settings;
  const volumes = disks.map((disk, at) => ({
    ...disk,
    deleteOnTermination: readOwn(changed.deleteOnTermination, disk.device) ?? disk.deleteOnTermination,
    volumeId: at === 0 ? root.volumeId : derivedId('vol', root.volumeId, at),
  }));
  return changed.detached === undefined
    ? volumes
    : volumes.filter(({ device }) => changed.detached?.includes(device) !== true);
}

function rootDiskOf({ deviceName: device, sizeGib }: Ec2Instance['root']): LaunchedDisk {
  const iops = usualIops('gp2', sizeGib);
  return { device, sizeGib, type: 'gp2', encrypted: false, deleteOnTermination: true, ...(iops && { iops }) };
}
