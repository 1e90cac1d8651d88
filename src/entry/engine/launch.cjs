// Started by the module with whatever Node there is: so this file is plain enough for an old one to read and to say what is missing.
var major = Number(process.versions.node.split(".")[0]);
if (major < 20) {
  process.stdout.write(
    JSON.stringify({ problem: "it needs Node 20 or later, and " + process.execPath + " is " + process.version }) + "\n",
  );
} else {
  require("./engine-main.cjs");
}
