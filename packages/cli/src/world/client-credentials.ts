import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import type { AccessKey } from '@nodewright/aws-endpoints';
import { tokenFileName } from '../control-api/control-request.ts';
import { replaceText } from './state/replace-file.ts';

/** What a sandbox asks of clients outside its process. */
export type ClientCredentials = {
  /** Signs requests to the AWS endpoints. */
  readonly accessKey: AccessKey;
  /** Opens the control API. */
  readonly controlToken: string;
  /** Where the commands find that token. */
  readonly tokenFile: string;
};

/** A key as AWS makes them, of letters and digits only: shells take it without quotes. */
export const createAccessKey = (): AccessKey => ({
  accessKeyId: `AKIASANDBOX${randomText(9).toUpperCase()}`,
  secretAccessKey: randomText(40),
});

/**
 * The credentials of one start.
 * @param folder where the file of the token goes, once `writeControlToken` writes it
 */
export const createCredentials = (folder: string, accessKey: AccessKey = createAccessKey()): ClientCredentials => ({
  accessKey,
  controlToken: randomText(43),
  tokenFile: join(folder, tokenFileName),
});

/** Only this user can read the file. */
export const writeControlToken = ({ controlToken, tokenFile }: ClientCredentials): void =>
  replaceText(tokenFile, `${controlToken}\n`);

/** Letters and digits, each of more than five bits of chance. */
function randomText(length: number): string {
  let text = '';
  while (text.length < length) text += randomBytes(length).toString('base64').replaceAll(/[+/=]/g, '');
  return text.slice(0, length);
}
