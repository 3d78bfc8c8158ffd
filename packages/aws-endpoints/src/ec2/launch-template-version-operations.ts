import type {
  CreateLaunchTemplateVersionRequest,
  CreateLaunchTemplateVersionResult,
  DeleteLaunchTemplateVersionsRequest,
  DeleteLaunchTemplateVersionsResult,
  ModifyLaunchTemplateRequest,
  ModifyLaunchTemplateResult,
} from '@aws-sdk/client-ec2';
import { AwsError } from '../codec/aws-error.ts';
import { dryRunWouldSucceed, invalidValue, missingParameter } from './errors.ts';
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
  return ec2.idempotency.once(request.ClientToken, request, () => {
    const made = ec2.templates.addVersion(request, { data, ...(description !== undefined && { description }) });
    return { LaunchTemplateVersion: writeTemplateVersion(ec2, template, made) };
  });
}

export function modifyLaunchTemplate(ec2: Ec2, request: ModifyLaunchTemplateRequest): ModifyLaunchTemplateResult {
  ec2.templates.find(request);
  if (request.DefaultVersion === undefined) throw missingParameter('DefaultVersion');
  if (request.DryRun === true) throw dryRunWouldSucceed();
  return { LaunchTemplate: templateOnTheWire(ec2, ec2.templates.setDefault(request, request.DefaultVersion)) };
}

/** Each version on its own: those that cannot go are told among the failures. */
export function deleteLaunchTemplateVersions(
  ec2: Ec2,
  request: DeleteLaunchTemplateVersionsRequest,
): DeleteLaunchTemplateVersionsResult {
  const template = ec2.templates.find(request);
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
              ResponseError: { Code: 'launchTemplateVersionDoesNotExist' as const, Message: refused.message },
            },
          ],
    ),
  };
}

function deletedVersion(ec2: Ec2, template: LaunchTemplate, version: string) {
  const item = {
    LaunchTemplateId: template.id,
    LaunchTemplateName: template.name,
    VersionNumber: Number(version),
  };
  try {
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
