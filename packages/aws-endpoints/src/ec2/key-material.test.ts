import { createPrivateKey } from 'node:crypto';
import { expect, test } from 'vitest';
import { createKey, readSshKey } from './key-material.ts';

// Keys of `ssh-keygen`, with what `openssl md5` and `ssh-keygen -l` say of them.
const rsa = [
  'ssh-rsa AAAAB3NzaC1yc2EAAAADAQABAAABAQDEy+vF74dxerD8ATyQylIsrAkzyhrLgC4iPi7c8r5lPDpYcSTXbowyorI006UD',
  'IcSRUO2wJQh0vwxFuC2+0zGbRGTD6XmQ86hoG7rj+wzyRR5xIVdyd+39cxXLEWQrLybh2N9yheNZ83FmdeoGK3NIRmsqJ3QcCuIM',
  '2nIazx0Q6wxo8XFMkqtWA5ud9fV1qZPAyLrGZd1aDhBAOl2CKbggzw2nqr+qPA2aBkvQrXUyZUdm4miOrSs3BmAhj4+chKOIuDOK',
  'MQN192sNdXOk2l3tZ2Jcmpgzp0c5AtQPZD4kjZ5uPdWp37jcI/GpznRUEBNKFvhdDIJo/rjOYncdefEj',
].join('');
const rsaRfc4716 = `---- BEGIN SSH2 PUBLIC KEY ----
Comment: "2048-bit RSA, converted by me@example.com from OpenSSH"
AAAAB3NzaC1yc2EAAAADAQABAAABAQDEy+vF74dxerD8ATyQylIsrAkzyhrLgC4iPi7c8r
5lPDpYcSTXbowyorI006UDIcSRUO2wJQh0vwxFuC2+0zGbRGTD6XmQ86hoG7rj+wzyRR5x
IVdyd+39cxXLEWQrLybh2N9yheNZ83FmdeoGK3NIRmsqJ3QcCuIM2nIazx0Q6wxo8XFMkq
tWA5ud9fV1qZPAyLrGZd1aDhBAOl2CKbggzw2nqr+qPA2aBkvQrXUyZUdm4miOrSs3BmAh
j4+chKOIuDOKMQN192sNdXOk2l3tZ2Jcmpgzp0c5AtQPZD4kjZ5uPdWp37jcI/GpznRUEB
NKFvhdDIJo/rjOYncdefEj
---- END SSH2 PUBLIC KEY ----`;
const rsaDer = [
  'MIIBIjANBgkqhkiG9w0BAQEFAAOCAQ8AMIIBCgKCAQEAxMvrxe+HcXqw/AE8kMpSLKwJM8oay4AuIj4u3PK+ZTw6WHEk126MMqKy',
  'NNOlAyHEkVDtsCUIdL8MRbgtvtMxm0Rkw+l5kPOoaBu64/sM8kUecSFXcnft/XMVyxFkKy8m4djfcoXjWfNxZnXqBitzSEZrKid0',
  'HAriDNpyGs8dEOsMaPFxTJKrVgObnfX1damTwMi6xmXdWg4QQDpdgim4IM8Np6q/qjwNmgZL0K11MmVHZuJojq0rNwZgIY+PnISj',
  'iLgzijEDdfdrDXVzpNpd7WdiXJqYM6dHOQLUD2Q+JI2ebj3Vqd+43CPxqc50VBATShb4XQyCaP64zmJ3HXnxIwIDAQAB',
].join('');
const ed25519 = ['ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIPli933zKrT3EVwxsXb2Yp4svfxMOR0OUwjBdYy2ntVH'].join('');

test.each([
  ['OpenSSH', rsa],
  ['OpenSSH with a comment', `${rsa} me@example.com`],
  ['RFC 4716', rsaRfc4716],
  ['DER in base64', rsaDer],
])('the fingerprint of an imported RSA key in the form %s is the MD5 of its DER', (_form, text) => {
  expect(readSshKey(text)).toEqual({
    type: 'rsa',
    publicKey: rsa,
    fingerprint: '6f:32:83:44:bc:78:00:57:ed:b4:0d:53:ed:ff:06:06',
  });
});

test('the fingerprint of an ED25519 key is the SHA-256 that OpenSSH tells', () => {
  expect(readSshKey(ed25519)).toEqual({
    type: 'ed25519',
    publicKey: ed25519,
    fingerprint: 'niF81DvIVoEnXjY3qKSehGnli7PTRZ8Uywt9547axSI=',
  });
});

test.each([
  'hello',
  '',
  'ssh-rsa',
  'ssh-rsa aGVsbG8=',
  `ssh-dss ${rsa.split(' ')[1]}`,
  rsa.slice(0, 60),
  '---- BEGIN SSH2 PUBLIC KEY ----\nsth',
])('%j is no public key', (text) => {
  expect(readSshKey(text)).toBeUndefined();
});

test('the fingerprint of a created RSA key is the SHA-1 of the private key that is handed out', () => {
  const { privateKey, publicKey, fingerprint, type } = createKey('rsa');
  expect(type).toBe('rsa');
  expect(fingerprint).toMatch(/^([0-9a-f]{2}:){19}[0-9a-f]{2}$/);
  expect(privateKey).toMatch(/^-----BEGIN RSA PRIVATE KEY-----\n[\s\S]+\n-----END RSA PRIVATE KEY-----$/);
  const { n } = createPrivateKey(privateKey).export({ format: 'jwk' });
  const read = Buffer.from(publicKey.split(' ')[1] ?? '', 'base64');
  expect(read.subarray(-256).toString('base64url')).toBe(n);
});

test('a created ED25519 key is a private key file of OpenSSH with its public key, and has the fingerprint of that', () => {
  const { privateKey, publicKey, fingerprint } = createKey('ed25519');
  const lines = privateKey.split('\n');
  expect([lines[0], lines.at(-1)]).toEqual([
    '-----BEGIN OPENSSH PRIVATE KEY-----',
    '-----END OPENSSH PRIVATE KEY-----',
  ]);
  const file = Buffer.from(lines.slice(1, -1).join(''), 'base64');
  expect(file.subarray(0, 15).toString()).toBe('openssh-key-v1\0');
  expect(file.includes(Buffer.from(publicKey.split(' ')[1] ?? '', 'base64'))).toBe(true);
  expect(readSshKey(publicKey)?.fingerprint).toBe(fingerprint);
});
