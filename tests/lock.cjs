/* Takes every address out of package-lock.json: a lock says what to install, never from where. `npm run lock` ends
   with it. */
const { readFileSync, writeFileSync } = require("node:fs");
const { join } = require("node:path");

const file = join(__dirname, "package-lock.json");
const lock = JSON.parse(readFileSync(file, "utf8"));
for (const one of Object.values(lock.packages)) {
  delete one.resolved;
  delete one.funding;
}
writeFileSync(file, `${JSON.stringify(lock, null, 2)}\n`);
