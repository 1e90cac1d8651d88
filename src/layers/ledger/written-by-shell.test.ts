import { describe, expect, it } from "vitest";
import { findWritten } from "./written-by-shell.ts";

describe("files that a command writes by a here-document", () => {
  it.each([
    ["cat > src/a.js <<'EOF'\nlet a;\nlet b;\nEOF"],
    ["cat <<EOF > src/a.js\nlet a;\nlet b;\nEOF\n"],
    ['cat >> "src/a.js" << "EOF"\nlet a;\nlet b;\nEOF'],
    ["tee src/a.js <<-EOF > /dev/null\nlet a;\nlet b;\n\tEOF"],
  ])("are known with their content: %j", (command) => {
    expect(findWritten(command)).toEqual({ files: [{ path: "src/a.js", content: "let a;\nlet b;" }], rest: "" });
  });

  it("may be several, with other commands around them", () => {
    const command = "mkdir -p src && cat > src/a.js <<'A'\na\nA\ncat > b.js <<'B'\nb\nB\nnode b.js";
    expect(findWritten(command)).toEqual({
      files: [
        { path: "src/a.js", content: "a" },
        { path: "b.js", content: "b" },
      ],
      rest: "mkdir -p src\nnode b.js",
    });
  });

  it.each([
    ["python3 - <<'EOF'\nprint(1)\nEOF"],
    ["git commit -m \"$(cat <<'EOF'\nSeal it\nEOF\n)\""],
    ["cat > a.js <<'EOF'\nnever closed"],
    ["cat a.js"],
  ])("are none in %j", (command) => {
    expect(findWritten(command)).toBeUndefined();
  });
});
