import {
  CreateLaunchTemplateVersionCommand,
  DescribeImagesCommand,
  DescribeLaunchTemplateVersionsCommand,
  type LaunchTemplateVersion,
} from '@aws-sdk/client-ec2';
import { fromTimestamp } from '@nodewright/apis';
import type { ScalingGroupPort, ScalingTemplate } from '@nodewright/ports';
import type { AwsContext } from '../context.ts';
import { allPages } from '../selection/pages.ts';

/** How a group names its template: a version may be a number, `$Latest` or `$Default`. */
export type TemplateReference = { readonly id: string; readonly version: string };

/** The template of a group with all its versions; `undefined` when the version in use names no image. */
export async function describedTemplate(
  context: AwsContext,
  { id, version }: TemplateReference,
  signal: AbortSignal,
): Promise<ScalingTemplate | undefined> {
  const all = (await versionsOf(context, id, signal)).toSorted((a, b) => numberOf(a) - numberOf(b));
  const used = all.findLast((each) => isNamed(each, version, all));
  const imageId = used?.LaunchTemplateData?.ImageId;
  if (used === undefined || imageId === undefined) return undefined;
  const versions = all.flatMap((each): readonly [string, string][] => {
    const image = each.LaunchTemplateData?.ImageId;
    return image === undefined ? [] : [[image, String(numberOf(each))]];
  });
  return {
    id,
    version: String(numberOf(used)),
    imageId,
    ...(await traitsOf(context, imageId, signal)),
    // The version in use stands for its image, even where a newer one has the same.
    versions: { ...Object.fromEntries(versions), [imageId]: String(numberOf(used)) },
  };
}

const numberOf = ({ VersionNumber = 0 }: LaunchTemplateVersion): number => VersionNumber;

function isNamed(each: LaunchTemplateVersion, version: string, all: readonly LaunchTemplateVersion[]): boolean {
  if (version === '$Latest') return each === all.at(-1);
  return version === '$Default' ? each.DefaultVersion === true : String(numberOf(each)) === version;
}

async function versionsOf(
  { call, clients }: AwsContext,
  id: string,
  signal: AbortSignal,
): Promise<readonly LaunchTemplateVersion[]> {
  const pages = await allPages((NextToken) =>
    call(
      (options) =>
        clients.ec2.send(
          new DescribeLaunchTemplateVersionsCommand({ LaunchTemplateId: id, ResolveAlias: true, NextToken }),
          options,
        ),
      signal,
    ),
  );
  return pages.flatMap(({ LaunchTemplateVersions = [] }) => LaunchTemplateVersions);
}

/** Of an image that is gone by now, the usual is assumed. */
async function traitsOf(
  { call, clients }: AwsContext,
  imageId: string,
  signal: AbortSignal,
): Promise<Pick<ScalingTemplate, 'arch' | 'variant' | 'imageCreatedAt'>> {
  const request = { Filters: [{ Name: 'image-id', Values: [imageId] }], IncludeDeprecated: true };
  const { Images: [image] = [] } = await call(
    (options) => clients.ec2.send(new DescribeImagesCommand(request), options),
    signal,
  );
  const createdAt = image?.CreationDate;
  return {
    ...(createdAt === undefined ? {} : { imageCreatedAt: fromTimestamp(createdAt) }),
    arch: image?.Architecture === 'arm64' ? 'arm64' : 'amd64',
    variant: variantIn(image?.Name ?? ''),
  };
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
    VersionDescription: `nodewright: ${imageId}`,
    LaunchTemplateData: { ImageId: imageId },
    ClientToken: token,
  });
  const { LaunchTemplateVersion: made } = await call((options) => clients.ec2.send(command, options), signal);
  return String(made?.VersionNumber ?? '');
}
