import type {
  CreateLaunchTemplateRequest,
  CreateLaunchTemplateResult,
  DeleteLaunchTemplateRequest,
  DeleteLaunchTemplateResult,
  DescribeLaunchTemplatesRequest,
  DescribeLaunchTemplatesResult,
  DescribeLaunchTemplateVersionsRequest,
  DescribeLaunchTemplateVersionsResult,
  LaunchTemplate as WireTemplate,
  LaunchTemplateVersion as WireVersion,
  RequestLaunchTemplateData,
} from '@aws-sdk/client-ec2';
import { iamArnOf } from '../account.ts';
import { AwsError } from '../codec/aws-error.ts';
import { takePage } from '../paging.ts';
import {
  dryRunWouldSucceed,
  ec2BadToken,
  invalidCombination,
  invalidValue,
  malformedTemplateName,
  missingParameter,
} from './errors.ts';
import { imageIdOf } from './image-reference.ts';
import { applyFilters, type Filterable } from './filters.ts';
import {
  latestNumber,
  findTemplateVersion,
  type LaunchTemplate,
  type LaunchTemplateVersion,
} from './launch-templates.ts';
import type { Ec2 } from './model.ts';
import { parseRecordPaths } from './record-paths.ts';
import { checkTagSpecifications } from './tag-rules.ts';
import { writeEc2Tags, readTagSpecifications } from './tags.ts';

const mostUserData = 16_384;

/** Checks the length of the user data. @throws AwsError when it is too long */
export function checkTemplateUserData({ UserData = '' }: RequestLaunchTemplateData): void {
  if (Buffer.from(UserData, 'base64').length <= mostUserData) return;
  throw new AwsError('InvalidUserData.Malformed', `User data is limited to ${mostUserData} bytes.`);
}

function checkTemplateName(name: string): void {
  if (!/^[\w()./-]{3,128}$/.test(name)) throw malformedTemplateName();
}

export function createLaunchTemplate(ec2: Ec2, request: CreateLaunchTemplateRequest): CreateLaunchTemplateResult {
  const { LaunchTemplateName: name, LaunchTemplateData: data, VersionDescription: description } = request;
  if (name === undefined) throw missingParameter('LaunchTemplateName');
  if (data === undefined) throw missingParameter('LaunchTemplateData');
  checkTemplateName(name);
  checkTemplateUserData(data);
  checkTagSpecifications(request.TagSpecifications, ['launch-template']);
  if (request.DryRun === true) {
    ec2.templates.checkName(name);
    throw dryRunWouldSucceed();
  }
  return ec2.idempotency.once({ operation: 'CreateLaunchTemplate', token: request.ClientToken, request }, () => {
    const tags = readTagSpecifications('launch-template', request.TagSpecifications);
    const made = ec2.templates.create({ name, data, ...(description !== undefined && { description }) }, tags);
    return { LaunchTemplate: templateOnTheWire(ec2, made) };
  });
}

export function describeLaunchTemplates(
  ec2: Ec2,
  request: DescribeLaunchTemplatesRequest,
): DescribeLaunchTemplatesResult {
  const found = applyFilters(listRequestedTemplates(ec2, request), request.Filters, {
    attributes: {
      'launch-template-name': ({ name }) => name,
      'create-time': ({ createdAt }) => new Date(createdAt).toISOString(),
    },
    tags: ({ id }) => ec2.tags.of(id),
  });
  const page = { size: request.MaxResults, token: request.NextToken, refuse: ec2BadToken };
  const { items, next } = takePage(found, page);
  return { LaunchTemplates: items.map((each) => templateOnTheWire(ec2, each)), ...(next && { NextToken: next }) };
}

function listRequestedTemplates(
  { templates }: Ec2,
  request: DescribeLaunchTemplatesRequest,
): readonly LaunchTemplate[] {
  const ids = (request.LaunchTemplateIds ?? []).map((LaunchTemplateId) => templates.find({ LaunchTemplateId }));
  const names = (request.LaunchTemplateNames ?? []).map((LaunchTemplateName) =>
    requireNamed(templates, LaunchTemplateName),
  );
  return request.LaunchTemplateIds === undefined && request.LaunchTemplateNames === undefined
    ? templates.all()
    : [...ids, ...names];
}

function requireNamed(templates: Ec2['templates'], name: string): LaunchTemplate {
  const found = templates.all().find((template) => template.name === name);
  if (found !== undefined) return found;
  throw new AwsError(
    'InvalidLaunchTemplateName.NotFoundException',
    'At least one of the launch templates specified in the request does not exist.',
  );
}

export function describeLaunchTemplateVersions(
  ec2: Ec2,
  request: DescribeLaunchTemplateVersionsRequest,
): DescribeLaunchTemplateVersionsResult {
  const found = applyFilters(listRequestedVersions(ec2, request), request.Filters, filterableVersion(ec2));
  const page = { size: request.MaxResults, token: request.NextToken, refuse: ec2BadToken };
  const { items, next } = takePage(found, page);
  const LaunchTemplateVersions = items.map(({ template, version }) =>
    writeTemplateVersion(ec2, template, request.ResolveAlias === true ? withImageId(ec2, version) : version),
  );
  return { LaunchTemplateVersions, ...(next && { NextToken: next }) };
}

type VersionOfTemplate = { readonly template: LaunchTemplate; readonly version: LaunchTemplateVersion };

/** EC2's own words, with its quotation marks. */
const versionsHint =
  'To describe the launch template data for all your launch templates, for ‘--versions’ specify ‘$Latest’, ‘$Default’, or both, and omit ‘--launch-template-id’, ‘--launch-template-name’, and version numbers. To describe the launch template data for a specific launch template, specify ‘--launch-template-id’ or ‘--launch-template-name’, and for ‘--versions’ specify one or more of the following values: ‘$Latest’, ‘$Default’, or one or more version numbers.';

/** Without a template `$Latest` and `$Default` ask for the versions of all templates. */
function listRequestedVersions(
  { templates }: Ec2,
  request: DescribeLaunchTemplateVersionsRequest,
): readonly VersionOfTemplate[] {
  const { LaunchTemplateId: id, LaunchTemplateName: name, Versions: asked = [] } = request;
  if (id === undefined && name === undefined && asked.length > 0 && asked.every((each) => each.startsWith('$')))
    return templates.all().flatMap((template) => listNamedVersions(template, asked));
  if (id === undefined && name === undefined)
    throw new AwsError(asked.length === 0 ? 'MissingParameter' : 'InvalidParameterValue', versionsHint);
  const template = templates.find(request);
  return asked.length > 0 ? listNamedVersions(template, asked) : listVersionsInRange(template, request);
}

/** Lists each version once, although an alias and a number may mean the same. */
const listNamedVersions = (template: LaunchTemplate, asked: readonly string[]): readonly VersionOfTemplate[] =>
  [...new Set(asked.map((each) => findTemplateVersion(template, each)))].map((version) => ({ template, version }));

/** Lists the versions from `MinVersion` to `MaxVersion`, the newest first. */
function listVersionsInRange(
  template: LaunchTemplate,
  { MinVersion: least, MaxVersion: most }: DescribeLaunchTemplateVersionsRequest,
): readonly VersionOfTemplate[] {
  const from = least === undefined ? 0 : readVersionBound('MinVersion', least);
  const to = most === undefined ? Infinity : readVersionBound('MaxVersion', most);
  if (from > to) throw invalidCombination('The parameter MinVersion must not be greater than MaxVersion');
  return template.versions
    .filter(({ number }) => number >= from && number <= to)
    .toReversed()
    .map((version) => ({ template, version }));
}

function readVersionBound(parameter: string, text: string): number {
  if (!/^\d+$/.test(text)) throw invalidValue(`Value (${text}) for parameter ${parameter} is invalid.`);
  return Number(text);
}

const versionRecordPaths = parseRecordPaths(`
  create-time CreateTime
  host-resource-group-arn LaunchTemplateData.Placement.HostResourceGroupArn
  http-endpoint LaunchTemplateData.MetadataOptions.HttpEndpoint
  http-tokens LaunchTemplateData.MetadataOptions.HttpTokens
  image-id LaunchTemplateData.ImageId
  instance-type LaunchTemplateData.InstanceType
  is-default-version DefaultVersion
  kernel-id LaunchTemplateData.KernelId
  license-configuration-arn LaunchTemplateData.LicenseSpecifications.LicenseConfigurationArn
  network-card-index LaunchTemplateData.NetworkInterfaces.NetworkCardIndex
  ram-disk-id LaunchTemplateData.RamDiskId
`);

const filterableVersion = (ec2: Ec2): Filterable<VersionOfTemplate> => ({
  records: {
    write: ({ template, version }) => writeTemplateVersion(ec2, template, version),
    paths: versionRecordPaths,
  },
  attributes: {
    'ebs-optimized': ({ version }) => String(version.data.EbsOptimized ?? false),
    'http-protocol-ipv4': ({ version }) => version.data.MetadataOptions?.HttpEndpoint ?? 'enabled',
    'iam-instance-profile': ({ version }) =>
      version.data.IamInstanceProfile?.Arn ?? version.data.IamInstanceProfile?.Name,
  },
});

function withImageId(ec2: Ec2, version: LaunchTemplateVersion): LaunchTemplateVersion {
  const { ImageId: asked } = version.data;
  return asked === undefined
    ? version
    : { ...version, data: { ...version.data, ImageId: imageIdOf(asked, ec2.surroundings()) } };
}

export const writeTemplateVersion = (
  { account }: Ec2,
  template: LaunchTemplate,
  version: LaunchTemplateVersion,
): WireVersion => ({
  LaunchTemplateId: template.id,
  LaunchTemplateName: template.name,
  VersionNumber: version.number,
  DefaultVersion: version.number === template.defaultVersion,
  CreateTime: new Date(version.createdAt),
  CreatedBy: iamArnOf(account, 'user/sandbox-admin'),
  ...(version.description !== undefined && { VersionDescription: version.description }),
  LaunchTemplateData: version.data,
  Operator: { Managed: false },
});

export function deleteLaunchTemplate(ec2: Ec2, request: DeleteLaunchTemplateRequest): DeleteLaunchTemplateResult {
  const found = templateOnTheWire(ec2, ec2.templates.find(request));
  if (request.DryRun === true) throw dryRunWouldSucceed();
  ec2.templates.remove(request);
  return { LaunchTemplate: found };
}

export const templateOnTheWire = (ec2: Ec2, template: LaunchTemplate): WireTemplate => ({
  LaunchTemplateId: template.id,
  LaunchTemplateName: template.name,
  CreateTime: new Date(template.createdAt),
  CreatedBy: iamArnOf(ec2.account, 'user/sandbox-admin'),
  DefaultVersionNumber: template.defaultVersion,
  LatestVersionNumber: latestNumber(template),
  Operator: { Managed: false },
  Tags: writeEc2Tags(ec2.tags.of(template.id)),
});
