import { instant, type Instant } from '@nodewright/apis';
import type {
  GroupUpdateConfig,
  ManagedGroup,
  ManagedGroupPort,
  ReleaseQuestion,
  SeenUpdate,
  StartOutcome,
  UpdateRequest,
} from '@nodewright/ports';

/** Managed node groups in memory. An update ends when a test says so; the group itself never tells how. */
export class FakeManagedGroups implements ManagedGroupPort {
  readonly #now: () => Instant;
  readonly #groups = new Map<string, ManagedGroup>();
  readonly #updates = new Map<string, SeenUpdate & { readonly group: string; readonly token: string }>();
  readonly requests: UpdateRequest[] = [];
  readonly configured: GroupUpdateConfig[] = [];
  refusal: StartOutcome | undefined;
  /** As an emulator that takes an update config and never shows it. */
  forgetsConfig = false;
  /** How often an update was looked at. */
  looks = 0;

  constructor(now: () => Instant) {
    this.#now = now;
  }

  put(group: ManagedGroup): void {
    this.#groups.set(group.name, group);
  }

  /** Ends the update under way. */
  end(group: string, status: SeenUpdate['status'], errors: SeenUpdate['errors'] = []): void {
    for (const update of this.#updates.values()) {
      if (update.group !== group || update.status !== 'InProgress') continue;
      this.#updates.set(update.id, { ...update, status, errors });
      const described = this.#groups.get(group);
      const release = status === 'Successful' ? update.params['ReleaseVersion'] : undefined;
      if (described !== undefined) this.put({ ...described, status: 'ACTIVE', ...(release && { release }) });
    }
  }

  async list(signal?: AbortSignal): Promise<readonly string[]> {
    signal?.throwIfAborted();
    return [...this.#groups.keys()].toSorted();
  }

  async describe(name: string): Promise<ManagedGroup | undefined> {
    return this.#groups.get(name);
  }

  async startUpdate(request: UpdateRequest): Promise<StartOutcome> {
    this.requests.push(request);
    if (this.refusal !== undefined) return this.refusal;
    const before = [...this.#updates.values()].find(({ token }) => token === request.token);
    if (before !== undefined) return { kind: 'started', updateId: before.id };
    const { group, target, token } = request;
    const obstacle = this.#obstacle(group);
    if (obstacle !== undefined) return obstacle;
    const params: Record<string, string> =
      target.kind === 'release'
        ? { Version: target.kubernetesVersion, ReleaseVersion: target.release }
        : { LaunchTemplateVersion: target.version };
    return this.#begin({ group, token, kind: 'VersionUpdate', params });
  }

  async configure({ group, config, token }: Parameters<ManagedGroupPort['configure']>[0]): Promise<StartOutcome> {
    this.configured.push(config);
    const obstacle = this.#obstacle(group);
    if (obstacle !== undefined) return obstacle;
    const described = this.#groups.get(group);
    const outcome = this.#begin({ group, token, kind: 'ConfigUpdate', params: {} });
    this.end(group, 'Successful');
    if (described !== undefined && !this.forgetsConfig) this.put({ ...described, updateConfig: config });
    return outcome;
  }

  async describeUpdate(group: string, id: string): Promise<SeenUpdate | undefined> {
    this.looks += 1;
    const update = this.#updates.get(id);
    return update?.group === group ? update : undefined;
  }

  async updateUnderWay(group: string): Promise<SeenUpdate | undefined> {
    return [...this.#updates.values()].find((each) => each.group === group && each.status === 'InProgress');
  }

  async releaseOf({ image, kubernetesVersion }: ReleaseQuestion): Promise<string | undefined> {
    return image.version === undefined ? undefined : `${kubernetesVersion}.0-${image.version.replace(/^v/, '')}`;
  }

  /** Why no update of the group can begin. */
  #obstacle(group: string): StartOutcome | undefined {
    const described = this.#groups.get(group);
    if (described === undefined) return { kind: 'refused', message: `ResourceNotFoundException: no group ${group}` };
    return described.status === 'UPDATING' ? { kind: 'busy', message: 'it is UPDATING' } : undefined;
  }

  #begin(
    update: Pick<SeenUpdate, 'kind' | 'params'> & { readonly group: string; readonly token: string },
  ): StartOutcome {
    const id = `update-${this.#updates.size + 1}`;
    const createdAt = instant(this.#now());
    this.#updates.set(id, { ...update, id, status: 'InProgress', createdAt, errors: [] });
    const described = this.#groups.get(update.group);
    if (described !== undefined) this.put({ ...described, status: 'UPDATING' });
    return { kind: 'started', updateId: id };
  }
}
