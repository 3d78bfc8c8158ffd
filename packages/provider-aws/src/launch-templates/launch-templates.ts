import { createHash } from 'node:crypto';
import {
  CreateLaunchTemplateCommand,
  DeleteLaunchTemplateCommand,
  DescribeLaunchTemplatesCommand,
  type LaunchTemplate,
  type RequestLaunchTemplateData,
} from '@aws-sdk/client-ec2';
import { awsTags, type EC2NodeClass, type Instant } from '@nodewright/apis';
import { isNotFound, meaningOf } from '../calls/error-codes.ts';
import { ExpiringCache } from '../caching/expiring-cache.ts';
import type { AwsContext } from '../context.ts';
import { allPages } from '../selection/pages.ts';
import { launchTemplateData, type TemplateInput } from './launch-template-data.ts';
import { tagList } from '../tags.ts';

/** Makes launch templates. Equal contents have equal names, so that whoever comes second finds the first one's. */
export class LaunchTemplates {
  readonly #context: AwsContext;
  readonly #ensured: ExpiringCache<string>;

  constructor(context: AwsContext) {
    this.#context = context;
    this.#ensured = new ExpiringCache(context.clock, 60_000);
  }

  /** The name of a template with these contents, which exists when this returns. */
  ensure(input: TemplateInput, signal: AbortSignal): Promise<string> {
    const data = launchTemplateData(input);
    const name = nameOf(data, input);
    return this.#ensured.remember(name, async () => {
      if (!(await this.#exists(name, signal))) await this.#create(name, { data, input }, signal);
      return name;
    });
  }

  /** After EC2 said that a template is gone: the next launch looks again. */
  forgetAll(): void {
    this.#ensured.clear();
  }

  /** Deletes every template that was made for the NodeClass. */
  async cleanUp({ metadata }: EC2NodeClass, signal: AbortSignal): Promise<void> {
    const { call, clients, clusterName } = this.#context;
    const Filters = [
      { Name: `tag:${awsTags.clusterName}`, Values: [clusterName] },
      { Name: `tag:${awsTags.ec2NodeClass}`, Values: [metadata.name] },
    ];
    const pages = await allPages((NextToken) =>
      call(
        (options) =>
          clients.ec2.send(new DescribeLaunchTemplatesCommand({ Filters, MaxResults: 200, NextToken }), options),
        signal,
      ),
    );
    for (const template of pages.flatMap(({ LaunchTemplates: templates = [] }) => templates))
      await this.#delete(template, signal);
  }

  async #exists(name: string, signal: AbortSignal): Promise<boolean> {
    const { call, clients } = this.#context;
    try {
      const command = new DescribeLaunchTemplatesCommand({ LaunchTemplateNames: [name] });
      const { LaunchTemplates: found = [] } = await call((options) => clients.ec2.send(command, options), signal);
      return found.length > 0;
    } catch (error) {
      if (isNotFound(error)) return false;
      throw error;
    }
  }

  async #create(
    name: string,
    { data, input }: { data: RequestLaunchTemplateData; input: TemplateInput },
    signal: AbortSignal,
  ) {
    const { call, clients, clock } = this.#context;
    const command = new CreateLaunchTemplateCommand({
      LaunchTemplateName: name,
      LaunchTemplateData: data,
      ClientToken: tokenOf(name, clock.now()),
      TagSpecifications: [{ ResourceType: 'launch-template', Tags: tagList(input.tags) }],
    });
    try {
      await call((options) => clients.ec2.send(command, options), signal);
    } catch (error) {
      if (meaningOf(error) !== 'alreadyExists') throw error;
    }
  }

  async #delete({ LaunchTemplateId, LaunchTemplateName = '' }: LaunchTemplate, signal: AbortSignal): Promise<void> {
    const { call, clients } = this.#context;
    try {
      await call((options) => clients.ec2.send(new DeleteLaunchTemplateCommand({ LaunchTemplateId }), options), signal);
    } catch (error) {
      if (!isNotFound(error)) throw error;
    }
    this.#ensured.forget(LaunchTemplateName);
  }
}

/** `karpenter.k8s.aws/` and 64 bits of a hash over all contents and the NodeClass, as a decimal number. */
function nameOf(data: RequestLaunchTemplateData, { nodeClass, tags }: TemplateInput): string {
  const contents = JSON.stringify([data, tagList(tags), nodeClass.metadata.name]);
  const hash = createHash('sha256').update(contents).digest();
  return `karpenter.k8s.aws/${hash.readBigUInt64BE()}`;
}

/**
 * The name alone keeps templates from being made twice. With a token that is always the same EC2 would answer for a
 * template that was deleted since.
 */
const tokenOf = (name: string, now: Instant): string =>
  createHash('sha256').update(`${name} ${now}`).digest('hex').slice(0, 64);
