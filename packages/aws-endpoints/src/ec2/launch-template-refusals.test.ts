import { anEc2, ec2Caller, templateName } from '@nodewright/testkit/worlds';
import { expect, test } from 'vitest';

for (const { what, operation, input, refusal } of [
  {
    what: 'versions of no template',
    operation: 'DescribeLaunchTemplateVersions',
    input: {},
    refusal: /^MissingParameter: To describe the launch template data for all/,
  },
  {
    what: 'a number without a template',
    operation: 'DescribeLaunchTemplateVersions',
    input: { Versions: ['1'] },
    refusal: /^InvalidParameterValue: To describe the launch template data for all/,
  },
  {
    what: 'a template by a name that none has',
    operation: 'DescribeLaunchTemplates',
    input: { LaunchTemplateNames: ['none'] },
    refusal: /^InvalidLaunchTemplateName.NotFoundException: At least one of the launch templates/,
  },
  {
    what: 'a default version for a template by its name and its id',
    operation: 'ModifyLaunchTemplate',
    input: { LaunchTemplateName: templateName, LaunchTemplateId: 'lt-1', DefaultVersion: '1' },
    refusal: /^InvalidParameterCombination: Either provide launch template ID or launch template name/,
  },
  {
    what: 'a default version that is not there',
    operation: 'ModifyLaunchTemplate',
    input: { LaunchTemplateName: templateName, DefaultVersion: '7' },
    refusal: /^InvalidLaunchTemplateId.VersionNotFound: The launch template version 7 is not found/,
  },
]) {
  test(`${operation} refuses ${what} in EC2's words`, async () => {
    const { aws } = await anEc2();
    expect(await ec2Caller(aws).refusalOf(operation, input)).toMatch(refusal);
  });
}
