// Bytes or a text → a file that the browser saves.

export function downloadText(name: string, type: string, text: string): void {
  downloadBlob(name, new Blob([text], { type }));
}

export function downloadBlob(name: string, content: Blob): void {
  const url = URL.createObjectURL(content);
  const link = document.createElement('a');
  link.href = url;
  link.download = name;
  link.click();
  // The download has its own hold on the data once it has begun.
  setTimeout(() => URL.revokeObjectURL(url), 10_000);
}
