import { createHash } from 'node:crypto';
import {
  DescribeLaunchTemplatesCommand,
  DescribeLaunchTemplateVersionsCommand,
  type LaunchTemplate,
  type LaunchTemplateVersion,
  type ResponseLaunchTemplateData,
} from '@aws-sdk/client-ec2';
import { awsTags, byText, byTextOf, instant, byNumberOf } from '@nodewright/apis';
import { readAllPages } from '../calls/pages.ts';
import { tagsFromList } from '../tags.ts';
import type { AccountReader } from './account-reader.ts';
import type { ReadLaunchTemplate } from './account-reading.ts';
import type { ReadManagedGroup, ReadScalingGroup } from './group-reading.ts';

/** Templates of the cluster, with the contents of their default versions. */
export async function readLaunchTemplates(reader: AccountReader): Promise<readonly ReadLaunchTemplate[]> {
  const { call, clients, clusterName, signal } = reader;
  const Filters = [{ Name: `tag:${awsTags.clusterName}`, Values: [clusterName] }];
  const pages = await readAllPages((NextToken) => {
    const asked = new DescribeLaunchTemplatesCommand({ Filters, MaxResults: 200, NextToken });
    return call((options) => clients.ec2.send(asked, options), signal, { tokens: { DescribeLaunchTemplates: 1 } });
  });
  const read: ReadLaunchTemplate[] = [];
  for (const template of pages.flatMap(({ LaunchTemplates = [] }) => LaunchTemplates))
    read.push(...(await readContents(reader, template)));
  return read;
}

async function readContents(
  { call, clients, signal }: AccountReader,
  template: LaunchTemplate,
): Promise<readonly ReadLaunchTemplate[]> {
  const { LaunchTemplateId } = template;
  if (LaunchTemplateId === undefined) return [];
  const asked = new DescribeLaunchTemplateVersionsCommand({ LaunchTemplateId, Versions: ['$Default'] });
  const { LaunchTemplateVersions = [] } = await call((options) => clients.ec2.send(asked, options), signal);
  return [toReadLaunchTemplate(template, LaunchTemplateVersions[0]?.LaunchTemplateData ?? {})];
}

function toReadLaunchTemplate(
  { LaunchTemplateId: id = '', LaunchTemplateName: name = '', CreateTime: created, Tags }: LaunchTemplate,
  data: ResponseLaunchTemplateData,
): ReadLaunchTemplate {
  const hash = createHash('sha256').update(JSON.stringify(data)).digest('hex');
  const createdAt = instant(created?.getTime() ?? 0);
  const imageId = data.ImageId;
  return { id, name, createdAt, ...(imageId === undefined ? {} : { imageId }), hash, data, tags: tagsFromList(Tags) };
}

/** Ids of the templates that node groups launch from, with those of customers behind managed groups. */
export const listTemplateIds = (
  managed: readonly ReadManagedGroup[],
  scaling: readonly ReadScalingGroup[],
): readonly string[] => [
  ...new Set([...scaling.map(({ template }) => template.id), ...managed.flatMap(({ source }) => source?.id ?? [])]),
];

/** Templates with all of their versions: instances of a group may be of any of them. */
export async function readGroupTemplates(
  reader: AccountReader,
  ids: readonly string[],
): Promise<readonly ReadLaunchTemplate[]> {
  if (ids.length === 0) return [];
  const { call, clients, signal } = reader;
  const LaunchTemplateIds = ids.toSorted(byText);
  const pages = await readAllPages((NextToken) => {
    const asked = new DescribeLaunchTemplatesCommand({ LaunchTemplateIds, NextToken });
    return call((options) => clients.ec2.send(asked, options), signal, { tokens: { DescribeLaunchTemplates: 1 } });
  });
  const read: ReadLaunchTemplate[] = [];
  for (const template of pages.flatMap(({ LaunchTemplates = [] }) => LaunchTemplates))
    read.push(await readVersions(reader, template));
  return read;
}

async function readVersions(
  { call, clients, signal }: AccountReader,
  template: LaunchTemplate,
): Promise<ReadLaunchTemplate> {
  const { LaunchTemplateId } = template;
  const pages = await readAllPages((NextToken) => {
    const asked = new DescribeLaunchTemplateVersionsCommand({ LaunchTemplateId, NextToken });
    return call((options) => clients.ec2.send(asked, options), signal);
  });
  const all = pages
    .flatMap(({ LaunchTemplateVersions = [] }) => LaunchTemplateVersions)
    .toSorted(byNumberOf(({ VersionNumber }) => VersionNumber ?? 0));
  const chosen = all.find(({ DefaultVersion }) => DefaultVersion === true);
  return {
    ...toReadLaunchTemplate(template, chosen?.LaunchTemplateData ?? {}),
    versions: all.map(toReadVersion),
    defaultVersion: template.DefaultVersionNumber ?? 1,
  };
}

const toReadVersion = ({
  VersionNumber: number = 0,
  CreateTime: created,
  VersionDescription: description,
  LaunchTemplateData: data = {},
}: LaunchTemplateVersion): NonNullable<ReadLaunchTemplate['versions']>[number] => ({
  number,
  createdAt: instant(created?.getTime() ?? 0),
  ...(description === undefined ? {} : { description }),
  data,
});

/** All templates by name; one that was read with its versions is there with them. */
export function mergeTemplates(
  templates: readonly ReadLaunchTemplate[],
  withVersions: readonly ReadLaunchTemplate[],
): readonly ReadLaunchTemplate[] {
  const byId = new Map([...templates, ...withVersions].map((template) => [template.id, template]));
  return [...byId.values()].toSorted(byTextOf(({ name }) => name));
}

/** Names of the instance profiles that the templates launch with. */
export const listTemplateProfiles = (templates: readonly ReadLaunchTemplate[]): readonly string[] =>
  templates.flatMap(({ versions = [] }) =>
    versions.flatMap(({ data }) => {
      const { IamInstanceProfile: profile } = data as ResponseLaunchTemplateData;
      return profile?.Name ?? profile?.Arn?.split('/').at(-1) ?? [];
    }),
  );
