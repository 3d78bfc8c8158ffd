import { instant, type Instant } from '@nodewright/apis';
import type { Clock, Random } from '@nodewright/runtime';
import type { Ledger } from '../../state/ledger.ts';
import { invalidVersion, noSuchUpdate, updateRunning } from './errors.ts';
import { isNextVersion } from './versions.ts';

/** An update of the control plane's version. */
export type VersionUpdate = {
  readonly id: string;
  readonly version: string;
  readonly status: 'InProgress' | 'Successful';
  readonly createdAt: Instant;
};

type Facts = { readonly version: string; readonly createdAt: Instant };

type Deps = {
  readonly clock: Clock;
  readonly random: Random;
  readonly clusterName: string;
  readonly ledger: Ledger;
  /** Told the minor as soon as the API server runs it. */
  readonly onVersion: (minor: string) => void;
};

/** How long EKS takes to replace the control plane's machines. */
const updateTakes = { leastMs: 8 * 60_000, spreadMs: 2 * 60_000 };

/** The control plane's version, and how it came to be. */
export class ControlPlane {
  readonly #deps: Deps;
  readonly #kept: Map<string, Facts>;
  readonly #updates: Map<string, VersionUpdate>;
  readonly #tokens: Map<string, VersionUpdate['id']>;

  constructor(version: string, deps: Deps) {
    this.#deps = deps;
    this.#kept = deps.ledger.map('eks/clusters');
    this.#updates = deps.ledger.map('eks/updates');
    this.#tokens = deps.ledger.map('eks/update-tokens');
    if (!this.#kept.has(deps.clusterName)) this.#keep({ version, createdAt: deps.clock.now() });
  }

  /** Goes on with an update that was running before a restart. */
  resume(): void {
    const running = this.#running();
    if (running !== undefined) this.#finishLater(running);
  }

  get createdAt(): Instant {
    return this.#facts().createdAt;
  }

  /** `1.29`: the old one until an update has ended. */
  get version(): string {
    return this.#facts().version;
  }

  get status(): 'ACTIVE' | 'UPDATING' {
    return this.#running() === undefined ? 'ACTIVE' : 'UPDATING';
  }

  now(): Instant {
    return this.#deps.clock.now();
  }

  /** Oldest first. */
  updates(): readonly VersionUpdate[] {
    return [...this.#updates.values()];
  }

  /** @throws AwsError `ResourceNotFoundException` */
  update(id: string): VersionUpdate {
    const found = this.#updates.get(id);
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
    this.#updates.set(update.id, update);
    if (token !== undefined) this.#tokens.set(token, update.id);
    this.#finishLater(update);
    return update;
  }

  #finishLater(update: VersionUpdate): void {
    const { clock, random } = this.#deps;
    const takesMs = updateTakes.leastMs + random.integer(updateTakes.spreadMs);
    clock.at(instant(update.createdAt + takesMs), () => this.#finish(update));
  }

  #check(version: string): void {
    const { clusterName } = this.#deps;
    const running = this.#running();
    if (running !== undefined) throw updateRunning(clusterName, running.id);
    if (version === this.version) {
      throw invalidVersion(clusterName, `Cluster is already at the desired configuration with version: ${version}`);
    }
    if (!isNextVersion(this.version, version)) {
      throw invalidVersion(
        clusterName,
        `Unsupported Kubernetes minor version update from ${this.version} to ${version}`,
      );
    }
  }

  #finish(update: VersionUpdate): void {
    this.#keep({ ...this.#facts(), version: update.version });
    this.#updates.set(update.id, { ...update, status: 'Successful' });
    this.#deps.onVersion(update.version);
  }

  #running(): VersionUpdate | undefined {
    return this.updates().find(({ status }) => status === 'InProgress');
  }

  #keep(facts: Facts): void {
    this.#kept.set(this.#deps.clusterName, facts);
  }

  #facts(): Facts {
    return this.#kept.get(this.#deps.clusterName) as Facts;
  }
}
