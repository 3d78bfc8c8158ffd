import type {
  CreateLaunchTemplateVersionRequest,
  CreateLaunchTemplateVersionResult,
  DeleteLaunchTemplateVersionsRequest,
  DeleteLaunchTemplateVersionsResult,
  ModifyLaunchTemplateRequest,
  ModifyLaunchTemplateResult,
} from '@aws-sdk/client-ec2';
import { AwsError } from '../codec/aws-error.ts';
import {
  dryRunWouldSucceed,
  invalidCombination,
  invalidValue,
  missingParameter,
  noSuchTemplateVersion,
} from './errors.ts';
import { checkTemplateUserData, templateOnTheWire, writeTemplateVersion } from './launch-template-operations.ts';
import { type LaunchTemplate, findTemplateVersion } from './launch-templates.ts';
import type { Ec2 } from './model.ts';

/** With a source version, what is given lies over what the source says. */
export function createLaunchTemplateVersion(
  ec2: Ec2,
  request: CreateLaunchTemplateVersionRequest,
): CreateLaunchTemplateVersionResult {
  const { LaunchTemplateData: given, SourceVersion: source, VersionDescription: description } = request;
  if (given === undefined) throw missingParameter('LaunchTemplateData');
  checkTemplateUserData(given);
  const template = ec2.templates.find(request);
  const data = source === undefined ? given : { ...findTemplateVersion(template, source).data, ...given };
  if (request.DryRun === true) throw dryRunWouldSucceed();
  return ec2.idempotency.once({ operation: 'CreateLaunchTemplateVersion', token: request.ClientToken, request }, () => {
    const made = ec2.templates.addVersion(request, { data, ...(description !== undefined && { description }) });
    return { LaunchTemplateVersion: writeTemplateVersion(ec2, template, made) };
  });
}

export function modifyLaunchTemplate(ec2: Ec2, request: ModifyLaunchTemplateRequest): ModifyLaunchTemplateResult {
  if (request.LaunchTemplateId !== undefined && request.LaunchTemplateName !== undefined)
    throw invalidCombination('Either provide launch template ID or launch template name to modify the template.');
  const template = ec2.templates.find(request);
  if (request.DefaultVersion === undefined) throw missingParameter('DefaultVersion');
  requireTemplateVersion(template, request.DefaultVersion);
  if (request.DryRun === true) throw dryRunWouldSucceed();
  return { LaunchTemplate: templateOnTheWire(ec2, ec2.templates.setDefault(request, request.DefaultVersion)) };
}

/** @throws AwsError in the words of ModifyLaunchTemplate */
function requireTemplateVersion(template: LaunchTemplate, asked: string): void {
  const isThere = asked.startsWith('$') || template.versions.some(({ number }) => String(number) === asked);
  if (isThere) return;
  throw new AwsError(
    'InvalidLaunchTemplateId.VersionNotFound',
    `The launch template version ${asked} is not found for the specified launch template.`,
  );
}

/** Deletes each version on its own. The answer lists the versions that were not deleted, with the reason of each. */
export function deleteLaunchTemplateVersions(
  ec2: Ec2,
  request: DeleteLaunchTemplateVersionsRequest,
): DeleteLaunchTemplateVersionsResult {
  const template = ec2.templates.find(request);
  if ((request.Versions ?? []).length === 0) throw missingParameter('LaunchTemplateVersion');
  if (request.DryRun === true) throw dryRunWouldSucceed();
  const results = (request.Versions ?? []).map((version) => deletedVersion(ec2, template, version));
  return {
    SuccessfullyDeletedLaunchTemplateVersions: results.flatMap(({ item, refused }) => (refused ? [] : [item])),
    UnsuccessfullyDeletedLaunchTemplateVersions: results.flatMap(({ item, refused }) =>
      refused === undefined
        ? []
        : [
            {
              ...item,
              ResponseError: { Code: codeOfFailedDeletion(refused), Message: refused.message },
            },
          ],
    ),
  };
}

/** The codes with which an answer tells why it did not delete a version. */
const codeOfFailedDeletion = ({ code }: AwsError) =>
  code === 'InvalidLaunchTemplateId.VersionNotFound' ? 'launchTemplateVersionDoesNotExist' : 'unexpectedError';

/** Deletes a version by its number. Aliases name no version here. */
function deletedVersion(ec2: Ec2, template: LaunchTemplate, version: string) {
  const isNumber = /^\d+$/.test(version);
  const item = {
    LaunchTemplateId: template.id,
    LaunchTemplateName: template.name,
    ...(isNumber && { VersionNumber: Number(version) }),
  };
  try {
    if (!isNumber) throw noSuchTemplateVersion(template.id, version);
    if (Number(version) === template.defaultVersion) {
      throw invalidValue(`The default version ${version} of launch template ${template.id} cannot be deleted.`);
    }
    ec2.templates.removeVersion({ LaunchTemplateId: template.id }, version);
    return { item };
  } catch (refused) {
    if (refused instanceof AwsError) return { item, refused };
    throw refused;
  }
}
