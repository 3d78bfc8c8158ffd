import {
  CreateLaunchTemplateVersionCommand,
  DescribeImagesCommand,
  DescribeLaunchTemplateVersionsCommand,
  type LaunchTemplateVersion,
} from '@aws-sdk/client-ec2';
import { byTextOf, fromTimestamp, byNumberOf } from '@nodewright/apis';
import type { ScalingGroupPort, ScalingTemplate } from '@nodewright/ports';
import type { AwsContext } from '../context.ts';
import { readAllPages } from '../calls/pages.ts';
import type { GroupMemory } from './group-memory.ts';
import type { GroupTemplateReference } from './template-reference.ts';

/** The template of a group with its versions; `undefined` when the version in use names no image. */
export async function describedTemplate(
  context: AwsContext & { readonly memory: GroupMemory },
  reference: GroupTemplateReference,
  signal: AbortSignal,
): Promise<ScalingTemplate | undefined> {
  const { version } = reference;
  const all = (await versionsOf(context, reference, signal)).toSorted(byNumberOf(versionNumberOf));
  const used = all.findLast((each) => isVersionNamed(each, version, all));
  const imageId = used?.LaunchTemplateData?.ImageId;
  if (used === undefined || imageId === undefined) return undefined;
  const { InstanceType, InstanceMarketOptions } = used.LaunchTemplateData ?? {};
  const market = marketOfTemplate(InstanceMarketOptions?.MarketType);
  return {
    id: used.LaunchTemplateId ?? '',
    version: String(versionNumberOf(used)),
    isPinned: /^\d+$/.test(version),
    imageId,
    ...(InstanceType === undefined ? {} : { instanceType: InstanceType }),
    ...(market === undefined ? {} : { market }),
    ...(await traitsOf(context, imageId, signal)),
    // The version in use stands for its image, even where a newer one has the same.
    versions: { ...versionsLike(used, all), [imageId]: String(versionNumberOf(used)) },
  };
}

function marketOfTemplate(type: string | undefined): ScalingTemplate['market'] {
  if (type === 'spot') return 'spot';
  return type === undefined ? 'onDemand' : undefined;
}

/**
 * The newest version with each image, of those that are like the one in use otherwise: the rest may be anything.
 * One that was made from the other counts as like it, whatever became of its data on the way.
 */
function versionsLike(
  used: LaunchTemplateVersion,
  all: readonly LaunchTemplateVersion[],
): Readonly<Record<string, string>> {
  const own = templateTextWithoutImage(used);
  const isLike = (each: LaunchTemplateVersion): boolean =>
    templateTextWithoutImage(each) === own || isMadeFrom(each, used) || isMadeFrom(used, each);
  const alike = all.filter(isLike).flatMap((each): readonly [string, string][] => {
    const image = each.LaunchTemplateData?.ImageId;
    return image === undefined ? [] : [[image, String(versionNumberOf(each))]];
  });
  return Object.fromEntries(alike);
}

const isMadeFrom = (made: LaunchTemplateVersion, source: LaunchTemplateVersion): boolean =>
  made.VersionDescription ===
  writeVersionDescription(made.LaunchTemplateData?.ImageId ?? '', String(versionNumberOf(source)));

const writeVersionDescription = (imageId: string, sourceVersion: string): string =>
  `nodewright: version ${sourceVersion} with ${imageId}`;

function templateTextWithoutImage({ LaunchTemplateData = {} }: LaunchTemplateVersion): string {
  const { ImageId: _, ...rest } = LaunchTemplateData;
  return JSON.stringify(rest, (_key, value: unknown) =>
    typeof value === 'object' && value !== null && !Array.isArray(value)
      ? Object.fromEntries(Object.entries(value).toSorted(byTextOf(([key]) => key)))
      : value,
  );
}

const versionNumberOf = ({ VersionNumber = 0 }: LaunchTemplateVersion): number => VersionNumber;

function isVersionNamed(each: LaunchTemplateVersion, version: string, all: readonly LaunchTemplateVersion[]): boolean {
  if (version === '$Latest') return each === all.at(-1);
  return version === '$Default' ? each.DefaultVersion === true : String(versionNumberOf(each)) === version;
}

async function versionsOf(
  { call, clients }: AwsContext,
  { template }: GroupTemplateReference,
  signal: AbortSignal,
): Promise<readonly LaunchTemplateVersion[]> {
  const pages = await readAllPages((NextToken) =>
    call(
      (options) =>
        clients.ec2.send(
          new DescribeLaunchTemplateVersionsCommand({ ...template, ResolveAlias: true, NextToken }),
          options,
        ),
      signal,
    ),
  );
  return pages.flatMap(({ LaunchTemplateVersions = [] }) => LaunchTemplateVersions);
}

/** The assumed values of an image that no longer exists. */
async function traitsOf(
  { call, clients, memory }: AwsContext & { readonly memory: GroupMemory },
  imageId: string,
  signal: AbortSignal,
): Promise<Pick<ScalingTemplate, 'arch' | 'variant' | 'imageCreatedAt'>> {
  const known = memory.images.get(imageId);
  if (known !== undefined) return known;
  const request = { Filters: [{ Name: 'image-id', Values: [imageId] }], IncludeDeprecated: true };
  const { Images: [image] = [] } = await call(
    (options) => clients.ec2.send(new DescribeImagesCommand(request), options),
    signal,
  );
  if (image === undefined) return { arch: 'amd64', variant: 'standard' };
  const { Architecture, Name = '', CreationDate: createdAt } = image;
  const traits = {
    ...(createdAt === undefined ? {} : { imageCreatedAt: fromTimestamp(createdAt) }),
    arch: Architecture === 'arm64' ? ('arm64' as const) : ('amd64' as const),
    variant: variantIn(Name),
  };
  memory.images.set(imageId, traits);
  return traits;
}

function variantIn(name: string): string {
  if (/-(gpu|nvidia)-/.test(name)) return 'nvidia';
  return name.includes('-neuron-') ? 'neuron' : 'standard';
}

export async function createTemplateVersion(
  { call, clients }: AwsContext,
  { templateId, sourceVersion, imageId, token }: Parameters<ScalingGroupPort['createTemplateVersion']>[0],
  signal: AbortSignal,
): Promise<string> {
  const command = new CreateLaunchTemplateVersionCommand({
    LaunchTemplateId: templateId,
    SourceVersion: sourceVersion,
    VersionDescription: writeVersionDescription(imageId, sourceVersion),
    LaunchTemplateData: { ImageId: imageId },
    ClientToken: token,
  });
  const { LaunchTemplateVersion: made } = await call((options) => clients.ec2.send(command, options), signal);
  return String(made?.VersionNumber ?? '');
}
