// `npm pack` in this folder would pack the sources of the workspace, without a command and with the tools of its build.
process.stderr.write(
  'error: this folder is no package; "npm run package" writes nodewright-<version>.tgz, which installs nothing else\n',
);
process.exit(1);
