import { GetParameterCommand } from '@aws-sdk/client-ssm';
import type { ReleaseQuestion } from '@nodewright/ports';
import { isAwsNotFound } from '../calls/error-codes.ts';
import type { AwsContext } from '../context.ts';
import { releasePaths } from '../found/images/release-paths.ts';

const releaseNameEndings = [
  /^bottlerocket-.*-v(\d+\.\d+\.\d+-[0-9a-f]{8})$/,
  /^Windows_Server-.*-EKS_Optimized-(\d+\.\d+-\d{4}\.\d\d\.\d\d)$/,
];

/**
 * What EKS calls the release of an image: `1.29.0-20240202` for Amazon Linux, which the parameters beside
 * the image's tell; `1.18.0-7452c37e` for Bottlerocket and `1.29-2024.02.13` for Windows, which is how the image's
 * name ends.
 */
export async function releaseOf(
  context: AwsContext,
  question: ReleaseQuestion,
  signal: AbortSignal,
): Promise<string | undefined> {
  const { image } = question;
  const inName = releaseNameEndings.map((ending) => ending.exec(image.name)?.[1]).find((found) => found !== undefined);
  if (inName !== undefined) return inName;
  const own = image.version === undefined ? undefined : await releaseAt(context, question, image.version, signal);
  return own ?? (image.recommended === true ? releaseAt(context, question, 'latest', signal) : undefined);
}

async function releaseAt(
  { call, clients }: AwsContext,
  { kind, kubernetesVersion }: ReleaseQuestion,
  version: string,
  signal: AbortSignal,
): Promise<string | undefined> {
  const found = releasePaths({ family: kind.family, version }, kubernetesVersion).find(
    ({ arch, variant }) => arch === kind.arch && variant === kind.variant,
  );
  if (found === undefined) return undefined;
  const Name = found.path.replace(/image_id$/, 'release_version');
  try {
    const { Parameter } = await call((options) => clients.ssm.send(new GetParameterCommand({ Name }), options), signal);
    return Parameter?.Value;
  } catch (error) {
    if (isAwsNotFound(error)) return undefined;
    throw error;
  }
}
