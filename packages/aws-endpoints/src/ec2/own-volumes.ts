import type { Instant } from '@nodewright/apis';
import type { Ledger } from '@nodewright/runtime';
import type { Ec2Instance } from './instance.ts';
import type { LaunchedDisk } from './launched-disks.ts';
import type { TagBook } from './tags.ts';
import type { VolumeChange } from './volume-changes.ts';
import type { InstanceVolume } from './volumes-of.ts';

/** How a volume hangs on an instance. */
type KeptVolumeAttachment = {
  readonly instanceId: string;
  readonly device: string;
  readonly attachedAt: Instant;
  readonly endsWithInstance: boolean;
};

/** A volume that was made by itself, or that has left the instance of its launch. */
export type OwnVolume = Omit<LaunchedDisk, 'deleteOnTermination' | 'device'> & {
  readonly id: string;
  readonly zone: string;
  readonly zoneId: string;
  readonly createdAt: Instant;
  readonly attachment?: KeptVolumeAttachment;
};

/** The volumes that no launch made for its instance, by id. */
export class OwnVolumes {
  readonly #tags: TagBook;
  readonly #byId: Map<string, OwnVolume>;
  /** The last change of each volume, those of launches too, by the id of the volume. */
  readonly changes: Map<string, VolumeChange>;

  constructor({ tags, ledger }: { readonly tags: TagBook; readonly ledger: Ledger }) {
    this.#tags = tags;
    this.#byId = ledger.map('ec2/volumes');
    this.changes = ledger.map('ec2/volume-changes');
  }

  /** In the order in which they were made. */
  all(): readonly OwnVolume[] {
    return [...this.#byId.values()];
  }

  find(id: string): OwnVolume | undefined {
    return this.#byId.get(id);
  }

  attachedTo(instanceId: string): readonly OwnVolume[] {
    return this.all().filter(({ attachment }) => attachment?.instanceId === instanceId);
  }

  keep(kept: OwnVolume): OwnVolume {
    this.#byId.set(kept.id, kept);
    return kept;
  }

  delete(id: string): void {
    this.#byId.delete(id);
    this.changes.delete(id);
    this.#tags.forget(id);
  }

  /** Keeps a volume of a launch that is on its instance no longer. */
  keepLeft({ zone, zoneId, launchedAt }: Ec2Instance, volume: InstanceVolume): OwnVolume {
    const { volumeId: id, device: _device, deleteOnTermination: _ends, ...disk } = volume;
    return this.keep({ ...disk, id, zone, zoneId, createdAt: launchedAt });
  }

  /** Detaches or deletes what hung on an instance that has ended. */
  leaveInstance(instanceId: string): void {
    for (const volume of this.attachedTo(instanceId)) {
      if (volume.attachment?.endsWithInstance === true) this.delete(volume.id);
      else this.keep(detachOwnVolume(volume));
    }
  }
}

export const detachOwnVolume = ({ attachment: _before, ...rest }: OwnVolume): OwnVolume => rest;
