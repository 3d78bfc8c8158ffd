import { instant, type Instant } from '@nodewright/apis';
import type { Clock, Random } from '@nodewright/runtime';
import { invalidVersion, noSuchUpdate, updateRunning } from './errors.ts';
import { isNextVersion } from './versions.ts';

/** An update of the control plane's version. */
export type VersionUpdate = {
  readonly id: string;
  readonly version: string;
  readonly status: 'InProgress' | 'Successful';
  readonly createdAt: Instant;
};

type Deps = {
  readonly clock: Clock;
  readonly random: Random;
  readonly clusterName: string;
  /** Told the minor as soon as the API server runs it. */
  readonly onVersion: (minor: string) => void;
};

/** How long EKS takes to replace the control plane's machines. */
const updateTakes = { leastMs: 8 * 60_000, spreadMs: 2 * 60_000 };

/** The control plane's version, and how it came to be. */
export class ControlPlane {
  readonly #deps: Deps;
  readonly createdAt: Instant;
  #version: string;
  #updates: readonly VersionUpdate[] = [];
  readonly #tokens = new Map<string, VersionUpdate['id']>();

  constructor(version: string, deps: Deps) {
    this.#version = version;
    this.#deps = deps;
    this.createdAt = deps.clock.now();
  }

  /** `1.29`: the old one until an update has ended. */
  get version(): string {
    return this.#version;
  }

  get status(): 'ACTIVE' | 'UPDATING' {
    return this.#running() === undefined ? 'ACTIVE' : 'UPDATING';
  }

  now(): Instant {
    return this.#deps.clock.now();
  }

  /** Oldest first. */
  updates(): readonly VersionUpdate[] {
    return this.#updates;
  }

  /** @throws AwsError `ResourceNotFoundException` */
  update(id: string): VersionUpdate {
    const found = this.#updates.find((update) => update.id === id);
    if (found === undefined) throw noSuchUpdate(this.#deps.clusterName, id);
    return found;
  }

  /**
   * Begins an update by one minor. The same request token again answers with the same update.
   * @throws AwsError when the version cannot be reached in one step, or another update is running
   */
  begin(version: string, token?: string): VersionUpdate {
    const known = token === undefined ? undefined : this.#tokens.get(token);
    if (known !== undefined) return this.update(known);
    this.#check(version);
    const { clock, random } = this.#deps;
    const createdAt = clock.now();
    const update: VersionUpdate = { id: random.uuid(), version, status: 'InProgress', createdAt };
    this.#updates = [...this.#updates, update];
    if (token !== undefined) this.#tokens.set(token, update.id);
    const takesMs = updateTakes.leastMs + random.integer(updateTakes.spreadMs);
    clock.at(instant(createdAt + takesMs), () => this.#finish(update));
    return update;
  }

  #check(version: string): void {
    const { clusterName } = this.#deps;
    const running = this.#running();
    if (running !== undefined) throw updateRunning(clusterName, running.id);
    if (version === this.#version) {
      throw invalidVersion(clusterName, `Cluster is already at the desired configuration with version: ${version}`);
    }
    if (!isNextVersion(this.#version, version)) {
      throw invalidVersion(
        clusterName,
        `Unsupported Kubernetes minor version update from ${this.#version} to ${version}`,
      );
    }
  }

  #finish({ id, version }: VersionUpdate): void {
    this.#version = version;
    this.#updates = this.#updates.map((update) => (update.id === id ? { ...update, status: 'Successful' } : update));
    this.#deps.onVersion(version);
  }

  #running(): VersionUpdate | undefined {
    return this.#updates.find(({ status }) => status === 'InProgress');
  }
}
