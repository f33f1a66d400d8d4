// Saves bytes or text as a file through the browser.

export function downloadText(name: string, type: string, text: string): void {
  downloadBlob(name, new Blob([text], { type }));
}

export function downloadBlob(name: string, content: Blob): void {
  const url = URL.createObjectURL(content);
  const link = document.createElement('a');
  link.href = url;
  link.download = name;
  link.click();
  // A started download no longer needs the URL.
  setTimeout(() => URL.revokeObjectURL(url), 10_000);
}
