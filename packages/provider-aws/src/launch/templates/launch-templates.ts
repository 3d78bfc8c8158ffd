import { createHash } from 'node:crypto';
import {
  CreateLaunchTemplateCommand,
  DeleteLaunchTemplateCommand,
  DescribeLaunchTemplatesCommand,
  type Filter,
  type LaunchTemplate,
  type RequestLaunchTemplateData,
} from '@aws-sdk/client-ec2';
import { awsTags, type EC2NodeClass, type Instant, minutes } from '@nodewright/apis';
import { classifyError, isAwsNotFound } from '../../calls/error-codes.ts';
import { forEachThenFail } from '../../calls/for-each-then-fail.ts';
import { ExpiringCache } from '../../caching/expiring-cache.ts';
import type { AwsContext } from '../../context.ts';
import { readAllPages } from '../../calls/pages.ts';
import { launchTemplateData, type TemplateInput } from './launch-template-data.ts';
import { toAwsTagList } from '../../tags.ts';

const namePrefix = 'karpenter.k8s.aws/';

/** EC2 takes 16384 bytes of user data. From 90 % on a line of the log says so. */
const largeUserDataBytes = 14_745;

/** Longer than a launch takes from its template to its instance. */
const unusedForMs = minutes(2);

/** Makes launch templates. Equal contents have equal names, so that a second launch finds the template of the first. */
export class LaunchTemplateStore {
  readonly #context: AwsContext;
  readonly #ensured: ExpiringCache<string>;
  readonly #usedAt = new Map<string, Instant>();
  #sweptAt: Instant;

  constructor(context: AwsContext) {
    this.#context = context;
    this.#ensured = new ExpiringCache(context.clock, minutes(1));
    this.#sweptAt = context.clock.now();
  }

  /** The name of a template with these contents, which exists when this returns. */
  async ensure(input: TemplateInput, signal: AbortSignal): Promise<string> {
    const data = launchTemplateData(input);
    const name = nameLaunchTemplate(data, input);
    this.#usedAt.set(name, this.#context.clock.now());
    await this.#sweepNowAndThen(signal);
    return this.#ensured.remember(name, async () => {
      if (!(await this.#exists(name, signal))) await this.#create(name, { data, input }, signal);
      return name;
    });
  }

  /** After EC2 said that a template is gone: the next launch looks again. */
  forgetAll(): void {
    this.#ensured.clear();
  }

  /** Deletes every template that was made for the NodeClass: one that stays does not keep the others. */
  async cleanUp({ metadata }: EC2NodeClass, signal: AbortSignal): Promise<void> {
    this.#context.counters.nodeClassGone(metadata.name);
    const made = await this.#tagged([{ Name: `tag:${awsTags.ec2NodeClass}`, Values: [metadata.name] }], signal);
    await forEachThenFail(made, (template) => this.#delete(template, signal));
  }

  /**
   * Each image, label and setting needs another template. Templates that no launch has used for a while are deleted.
   * A launch does not fail because of them.
   */
  async #sweepNowAndThen(signal: AbortSignal): Promise<void> {
    const { clock, log } = this.#context;
    const now = clock.now();
    if (now < this.#sweptAt + unusedForMs) return;
    this.#sweptAt = now;
    try {
      const made = await this.#tagged([], signal);
      // Looked at one by one: another launch may have come to use it meanwhile.
      await forEachThenFail(made, async (template) => {
        if (this.#isUnused(template, now)) await this.#delete(template, signal);
      });
    } catch (error) {
      if (signal.aborted) throw error;
      log.warn('unused launch templates stay for now', { error });
    }
  }

  #isUnused({ LaunchTemplateName: name = '', CreateTime: created }: LaunchTemplate, now: Instant): boolean {
    const lastUsed = Math.max(this.#usedAt.get(name) ?? 0, created?.getTime() ?? now);
    return name.startsWith(namePrefix) && now >= lastUsed + unusedForMs;
  }

  /** Templates of the cluster. */
  async #tagged(filters: readonly Filter[], signal: AbortSignal): Promise<readonly LaunchTemplate[]> {
    const { call, clients, clusterName } = this.#context;
    const Filters = [{ Name: `tag:${awsTags.clusterName}`, Values: [clusterName] }, ...filters];
    const pages = await readAllPages((NextToken) =>
      call(
        (options) =>
          clients.ec2.send(new DescribeLaunchTemplatesCommand({ Filters, MaxResults: 200, NextToken }), options),
        signal,
        { tokens: { DescribeLaunchTemplates: 1 } },
      ),
    );
    return pages.flatMap(({ LaunchTemplates: templates = [] }) => templates);
  }

  async #exists(name: string, signal: AbortSignal): Promise<boolean> {
    const { call, clients } = this.#context;
    try {
      const command = new DescribeLaunchTemplatesCommand({ LaunchTemplateNames: [name] });
      const { LaunchTemplates: found = [] } = await call((options) => clients.ec2.send(command, options), signal, {
        tokens: { DescribeLaunchTemplates: 1 },
      });
      return found.length > 0;
    } catch (error) {
      if (isAwsNotFound(error)) return false;
      throw error;
    }
  }

  async #create(
    name: string,
    { data, input }: { data: RequestLaunchTemplateData; input: TemplateInput },
    signal: AbortSignal,
  ) {
    const { call, clients, clock } = this.#context;
    this.#tellUserData(input);
    const command = new CreateLaunchTemplateCommand({
      LaunchTemplateName: name,
      LaunchTemplateData: data,
      ClientToken: templateTokenOf(name, clock.now()),
      TagSpecifications: [{ ResourceType: 'launch-template', Tags: toAwsTagList(input.tags) }],
    });
    try {
      await call((options) => clients.ec2.send(command, options), signal, { tokens: { CreateLaunchTemplate: 1 } });
    } catch (error) {
      if (classifyError(error) !== 'alreadyExists') throw error;
    }
  }

  #tellUserData({ nodeClass, userData }: TemplateInput): void {
    const bytes = Buffer.byteLength(userData);
    const { name } = nodeClass.metadata;
    this.#context.counters.userDataSized(name, bytes);
    if (bytes >= largeUserDataBytes)
      this.#context.log.info('user data is close to the 16384 bytes that EC2 takes', { EC2NodeClass: { name }, bytes });
  }

  async #delete({ LaunchTemplateId, LaunchTemplateName = '' }: LaunchTemplate, signal: AbortSignal): Promise<void> {
    const { call, clients } = this.#context;
    try {
      const command = new DeleteLaunchTemplateCommand({ LaunchTemplateId });
      await call((options) => clients.ec2.send(command, options), signal, { tokens: { DeleteLaunchTemplate: 1 } });
    } catch (error) {
      if (!isAwsNotFound(error)) throw error;
    }
    this.#ensured.forget(LaunchTemplateName);
    this.#usedAt.delete(LaunchTemplateName);
  }
}

/** `karpenter.k8s.aws/` and 64 bits of a hash over all contents and the NodeClass, as a decimal number. */
function nameLaunchTemplate(data: RequestLaunchTemplateData, { nodeClass, tags }: TemplateInput): string {
  const contents = JSON.stringify([data, toAwsTagList(tags), nodeClass.metadata.name]);
  const hash = createHash('sha256').update(contents).digest();
  return `${namePrefix}${hash.readBigUInt64BE()}`;
}

/**
 * The name alone keeps templates from being made twice. With a token that is always the same EC2 would answer for a
 * template that was deleted since.
 */
const templateTokenOf = (name: string, now: Instant): string =>
  createHash('sha256').update(`${name} ${now}`).digest('hex').slice(0, 64);
