import { type Instant, byNumberOf, byTextOf, inOrder } from '@nodewright/apis';
import type {
  InstanceQuota,
  ScalingGroup,
  ScalingGroupPort,
  ScalingInstance,
  ScalingTemplate,
} from '@nodewright/ports';

type State = Omit<ScalingGroup, 'instances' | 'template'> & { readonly template: ScalingTemplate };

/** Auto Scaling groups in memory. They converge on their size when a test lets them. */
export class FakeScalingGroups implements ScalingGroupPort {
  readonly #now: () => Instant;
  readonly #groups = new Map<string, State>();
  readonly #members = new Map<string, ScalingInstance & { readonly group: string }>();
  readonly #templates = new Map<string, string[]>();
  readonly #tokens = new Map<string, string>();
  #launched = 0;
  /** The most that one group ever had. */
  peak = 0;
  /** Whether AWS answers as if there were no group. */
  isHidden = false;
  readonly log: string[] = [];
  /** What more instances count against, of whatever type. */
  limit: InstanceQuota | undefined;
  onLaunch: (instance: ScalingInstance) => void = () => undefined;
  onEnd: (instance: ScalingInstance) => void = () => undefined;

  constructor(now: () => Instant) {
    this.#now = now;
  }

  put(group: State): void {
    this.#groups.set(group.name, group);
    this.converge();
  }

  /** A template of no group here: of a managed one. */
  putTemplate(id: string, images: readonly string[]): void {
    this.#templates.set(id, [...images]);
  }

  instances(group: string): readonly ScalingInstance[] {
    return [...this.#members.values()].filter((each) => each.group === group);
  }

  /** Launches what is missing and forgets what has ended. */
  converge(): void {
    for (const each of this.#members.values()) if (each.lifecycle === 'Terminating') this.#members.delete(each.id);
    for (const group of this.#groups.values()) {
      while (this.instances(group.name).length < group.desired) this.#launch(group);
      this.peak = Math.max(this.peak, this.instances(group.name).length);
    }
  }

  async list(signal?: AbortSignal): Promise<readonly string[]> {
    signal?.throwIfAborted();
    return [...this.#groups.keys()].toSorted();
  }

  async describe(name: string): Promise<ScalingGroup | undefined> {
    const group = this.#groups.get(name);
    return group === undefined || this.isHidden ? undefined : { ...group, instances: this.instances(name) };
  }

  async quota(): Promise<InstanceQuota | undefined> {
    return this.limit;
  }

  async createTemplateVersion({
    templateId,
    imageId,
    token,
  }: Parameters<ScalingGroupPort['createTemplateVersion']>[0]): Promise<string> {
    const made = this.#tokens.get(token);
    if (made !== undefined) return made;
    const version = this.#newVersion(templateId, imageId);
    this.log.push(`template version ${version}: ${imageId}`);
    this.#tokens.set(token, version);
    return version;
  }

  #newVersion(templateId: string, imageId: string): string {
    const images = this.#templates.get(templateId);
    if (images !== undefined) return String(images.push(imageId));
    const group = [...this.#groups.values()].find(({ template }) => template.id === templateId);
    if (group === undefined) throw new Error(`there is no template ${templateId}`);
    const version = String(Object.keys(group.template.versions).length + 1);
    this.#change(group.name, {
      template: { ...group.template, versions: { ...group.template.versions, [imageId]: version } },
    });
    return version;
  }

  async pointAt(name: string, version: string): Promise<void> {
    const { template } = this.#of(name);
    const [imageId = ''] = Object.entries(template.versions).find(([, each]) => each === version) ?? [];
    this.log.push(`points at version ${version}`);
    this.#change(name, { template: { ...template, version, imageId, isPinned: true } });
  }

  async resize(name: string, size: { readonly max: number; readonly desired: number }): Promise<void> {
    this.log.push(`max ${size.max}, desired ${size.desired}`);
    this.#change(name, size);
    const live = this.instances(name).filter(({ lifecycle }) => !lifecycle.startsWith('Terminating'));
    for (const { id } of live.slice(0, Math.max(0, live.length - size.desired))) {
      await this.terminate(id, { decrement: false });
    }
  }

  async suspend(name: string, processes: readonly string[]): Promise<void> {
    this.log.push(`suspends ${processes.join(', ')}`);
    this.#change(name, { suspended: [...new Set([...this.#of(name).suspended, ...processes])] });
  }

  async resume(name: string, processes: readonly string[]): Promise<void> {
    this.log.push(`resumes ${processes.join(', ')}`);
    this.#change(name, { suspended: this.#of(name).suspended.filter((each) => !processes.includes(each)) });
  }

  async answerHook({ instanceId, answer }: Parameters<ScalingGroupPort['answerHook']>[0]): Promise<void> {
    const member = this.#members.get(instanceId);
    if (member?.lifecycle !== 'Terminating:Wait') return;
    this.log.push(`${answer} ${instanceId}`);
    if (answer === 'heartbeat') return;
    this.#members.set(instanceId, { ...member, lifecycle: 'Terminating' });
    this.onEnd(member);
  }

  async terminate(id: string, { decrement }: { readonly decrement: boolean }): Promise<void> {
    const member = this.#members.get(id);
    if (member === undefined || member.lifecycle.startsWith('Terminating')) return;
    this.log.push(`terminates ${id}${decrement ? ', and shrinks' : ''}`);
    const waits = this.#of(member.group).hooks.some(({ transition }) => transition === 'terminating');
    this.#members.set(id, { ...member, lifecycle: waits ? 'Terminating:Wait' : 'Terminating' });
    if (decrement) this.#change(member.group, { desired: this.#of(member.group).desired - 1 });
    if (!waits) this.onEnd(member);
  }

  async discard(id: string): Promise<void> {
    const group = [...this.#groups.values()].find(({ warm }) => warm.some((each) => each.id === id));
    if (group === undefined) return;
    this.log.push(`discards ${id}`);
    this.#change(group.name, { warm: group.warm.map((each) => (each.id === id ? this.#warm(group) : each)) });
  }

  /** Gives the group a pool of so many. */
  prepare(name: string, count: number): void {
    this.#change(name, { warm: Array.from({ length: count }, () => this.#warm(this.#of(name))) });
  }

  #warm({ zones, template }: State): ScalingInstance {
    const id = this.#nextId();
    const zone = zones[this.#launched % zones.length] ?? '';
    return { id, zone, lifecycle: 'Warmed:Stopped', imageId: template.imageId, launchedAt: this.#now() };
  }

  #nextId(): string {
    this.#launched += 1;
    return `i-${String(this.#launched).padStart(17, '0')}`;
  }

  /** One of the pool, where it has any of the zone. */
  #launch(group: State): void {
    const { name, zones, template } = group;
    const { warm } = this.#of(name);
    const counts = zones.map((zone) => ({
      zone,
      count: this.instances(name).filter((each) => each.zone === zone).length,
    }));
    const { zone = '' } =
      counts.toSorted(
        inOrder(
          byNumberOf(({ count }) => count),
          byTextOf(({ zone }) => zone),
        ),
      )[0] ?? {};
    const ready = warm.find((each) => each.zone === zone);
    if (ready !== undefined) this.#change(name, { warm: warm.filter((each) => each !== ready) });
    const { id, imageId } = ready ?? { id: this.#nextId(), imageId: template.imageId };
    const instance = { id, zone, lifecycle: 'InService', imageId, launchedAt: this.#now() };
    this.#members.set(id, { ...instance, group: name });
    this.onLaunch(instance);
  }

  #of(name: string): State {
    const group = this.#groups.get(name);
    if (group === undefined) throw new Error(`there is no group ${name}`);
    return group;
  }

  #change(name: string, change: Partial<State>): void {
    this.#groups.set(name, { ...this.#of(name), ...change });
  }
}
