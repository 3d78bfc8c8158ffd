import type { Instant } from '@nodewright/apis';
import type { Ledger } from '@nodewright/runtime';
import { noSuchNetworkInterface } from './errors.ts';
import type { TagBook } from './tags.ts';

/** How an interface hangs on an instance. */
type InterfaceAttachment = {
  readonly id: string;
  readonly instanceId: string;
  readonly device: number;
  readonly card: number;
  readonly attachedAt: Instant;
  readonly endsWithInstance: boolean;
};

/** A network interface that was made by itself, not by a launch. */
export type OwnInterface = {
  readonly id: string;
  readonly subnetId: string;
  readonly type: 'interface' | 'efa' | 'efa-only';
  readonly description: string;
  readonly securityGroupIds: readonly string[];
  /** The primary one first. */
  readonly privateIps: readonly string[];
  readonly sourceDestCheck: boolean;
  readonly createdAt: Instant;
  readonly attachment?: InterfaceAttachment;
};

/** The network interfaces that users made, by id. Those of launches belong to their instances. */
export class OwnInterfaces {
  readonly #tags: TagBook;
  readonly #byId: Map<string, OwnInterface>;

  constructor({ tags, ledger }: { readonly tags: TagBook; readonly ledger: Ledger }) {
    this.#tags = tags;
    this.#byId = ledger.map('ec2/network-interfaces');
  }

  /** In the order in which they were made. */
  all(): readonly OwnInterface[] {
    return [...this.#byId.values()];
  }

  find(id: string): OwnInterface | undefined {
    return this.#byId.get(id);
  }

  /** @throws AwsError `InvalidNetworkInterfaceID.NotFound` */
  get(id: string): OwnInterface {
    const found = this.#byId.get(id);
    if (found === undefined) throw noSuchNetworkInterface(id);
    return found;
  }

  attachedTo(instanceId: string): readonly OwnInterface[] {
    return this.all().filter(({ attachment }) => attachment?.instanceId === instanceId);
  }

  keep(kept: OwnInterface): OwnInterface {
    this.#byId.set(kept.id, kept);
    return kept;
  }

  delete(id: string): void {
    this.#byId.delete(id);
    this.#tags.forget(id);
  }

  /** Detaches what hung on an instance that has ended. Returns those that have ended with it. */
  leaveInstance(instanceId: string): readonly OwnInterface[] {
    const attached = this.attachedTo(instanceId);
    for (const each of attached) {
      if (each.attachment?.endsWithInstance === true) this.delete(each.id);
      else this.keep(detachInterface(each));
    }
    return attached.filter(({ attachment }) => attachment?.endsWithInstance === true);
  }
}

export const detachInterface = ({ attachment: _before, ...rest }: OwnInterface): OwnInterface => rest;
